// Says which files firebase-tools would deploy with each of the globs as its "ignore":
// src/listFiles.ts, with the glob of its major version.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const { dir, globs } = JSON.parse(readFileSync(0, "utf8"));
const require = createRequire(import.meta.url);
const beside = createRequire(require.resolve("rimraf")); // which brings it
const { globSync } = beside("glob");
if (!globSync) throw new Error("glob is older than what firebase-tools has");
const listed = globs.map((glob) => globSync("**/*", { cwd: dir, dot: true, follow: true, nodir: true, posix: true, ignore: [glob] }));
process.stdout.write(JSON.stringify(listed));
