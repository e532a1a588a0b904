// Lists the files that firebase-tools deploys with each glob as the value of "ignore". It makes the
// same call as src/listFiles.ts of firebase-tools, with the same major version of the package glob.
//
// Standard input: {dir, globs}. Standard output: a list of files for each glob.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const { dir, globs } = JSON.parse(readFileSync(0, "utf8"));
const require = createRequire(import.meta.url);
const requireFromRimraf = createRequire(require.resolve("rimraf")); // rimraf depends on glob
const { globSync } = requireFromRimraf("glob");
if (!globSync) throw new Error("the package glob is older than the version of firebase-tools");
const listed = globs.map((glob) => globSync("**/*", { cwd: dir, dot: true, follow: true, nodir: true, posix: true, ignore: [glob] }));
process.stdout.write(JSON.stringify(listed));
