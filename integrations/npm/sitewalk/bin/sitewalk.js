#!/usr/bin/env node
"use strict";

const { spawn } = require("node:child_process");
const fs = require("node:fs");
const { constants } = require("node:os");
const tty = require("node:tty");
const { binary } = require("../lib/binary.js");

try {
  replaceProcess(binary(), process.argv.slice(2));
} catch (err) {
  fail(err);
}

// replaceProcess replaces this process by the program. On Windows, and if Node
// has no execve, it runs the program as a child instead.
function replaceProcess(file, args) {
  fs.accessSync(file, fs.constants.X_OK); // a failing execve may end Node without an error message
  if (process.platform !== "win32" && typeof process.execve === "function") {
    process.execve(file, ["sitewalk", ...args], process.env);
  }
  runAsChild(file, args);
}

// runAsChild runs the program as a child process. It forwards signals to the program, and
// exits with the exit code of the program.
function runAsChild(file, args) {
  const child = spawn(file, args, { stdio: "inherit" });
  // A terminal sends signals other than SIGTERM to both processes. A forwarded signal would be
  // the second one for the program, which would then end at once.
  const terminal = [0, 1, 2].some((fd) => tty.isatty(fd));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"]) {
    if (signal in constants.signals) {
      process.on(signal, () => {
        if (!terminal || signal === "SIGTERM") {
          child.kill(signal);
        }
      });
    }
  }
  child.on("error", fail);
  child.on("exit", (code, signal) => {
    if (signal === null) {
      process.exit(code);
    }
    // Without the handlers, the signal ends this process, too.
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
    setTimeout(() => process.exit(128 + constants.signals[signal]), 100);
  });
}

function fail(err) {
  console.error(`sitewalk: error: ${err.message}`);
  if (err.hint) {
    console.error(`sitewalk: hint: ${err.hint}`);
  }
  process.exit(2);
}
