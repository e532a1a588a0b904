#!/usr/bin/env node
"use strict";

const { spawn } = require("node:child_process");
const fs = require("node:fs");
const { constants } = require("node:os");
const tty = require("node:tty");
const { binary } = require("../lib/binary.js");

try {
  become(binary(), process.argv.slice(2));
} catch (err) {
  fail(err);
}

// become puts the program in the place of this process. Where Node cannot do
// that, it runs beside it.
function become(file, args) {
  fs.accessSync(file, fs.constants.X_OK); // a failing execve may take Node down without a word
  if (process.platform !== "win32" && typeof process.execve === "function") {
    process.execve(file, ["sitewalk", ...args], process.env);
  }
  runBeside(file, args);
}

// runBeside runs the program as a child. A signal to this process reaches the program,
// and the program's exit code is that of this process.
function runBeside(file, args) {
  const child = spawn(file, args, { stdio: "inherit" });
  // A terminal sends these to both, and the program ends at once after a second one.
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
    // Our own handlers would make a killed program a successful one.
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
