"use strict";

const path = require("node:path");

// packages maps each platform to the packages whose program may run on it, the
// best first. macOS and Windows run x64 programs on arm64 processors. There, an
// x64 Node may run the script, or may have installed the package.
const packages = {
  "linux-x64": ["linux-x64"],
  "linux-arm64": ["linux-arm64"],
  "darwin-x64": ["darwin-x64", "darwin-arm64"],
  "darwin-arm64": ["darwin-arm64", "darwin-x64"],
  "win32-x64": ["win32-x64"],
  "win32-arm64": ["win32-arm64", "win32-x64"],
};

// binary returns the path of the program. If it throws an error, the property
// hint of the error tells the user how to fix the problem.
function binary() {
  if (process.env.SITEWALK_BINARY) {
    return path.resolve(process.env.SITEWALK_BINARY);
  }
  const platform = `${process.platform}-${process.arch}`;
  const names = packages[platform];
  if (!names) {
    throw hinted(
      `there is no package for ${platform}`,
      "install the program with `go install github.com/sitewalk/sitewalk@latest`, and name it in SITEWALK_BINARY"
    );
  }
  const file = process.platform === "win32" ? "bin/sitewalk.exe" : "bin/sitewalk";
  for (const name of names) {
    try {
      return require.resolve(`@sitewalk/${name}/${file}`);
    } catch (err) {
      if (err.code !== "MODULE_NOT_FOUND") {
        throw err;
      }
    }
  }
  throw hinted(
    `the package @sitewalk/${names[0]} is not installed, which holds the program for this system`,
    "either optional dependencies were left out: install without --omit=optional or --no-optional;\n" +
      "sitewalk: hint: or the lock file was made on another system: remove node_modules and the lock file, and install again"
  );
}

function hinted(message, hint) {
  return Object.assign(new Error(message), { hint });
}

module.exports = { binary };
