import { spawn } from "node:child_process";
import { copyFile, mkdir, readFile, rename, rm } from "node:fs/promises";

import sitewalk from "sitewalk";

// What is kept between builds: the ledger, and the report of the build that was
// published last, whose list the next one is held against.
const folder = ".cache/sitewalk";
const ledger = `${folder}/ledger`;
const published = `${folder}/published.json`;
const built = `${folder}/built.json`;
const changes = `${folder}/changes.json`;

// What search engines were told last: the report of that build, and each message.
const told = `${folder}/told.json`;
const messages = `${folder}/messages.json`;

const causes = ["lost", "errors"];

export async function onPreBuild({ inputs, utils }) {
  const wrong = mistake(inputs);
  if (wrong) {
    return utils.build.failBuild(wrong);
  }
  await rm(folder, { recursive: true, force: true });
  await utils.cache.restore(folder);
}

export async function onPostBuild({ constants, inputs, utils }) {
  let found;
  try {
    found = await guard(constants, inputs);
  } catch (err) {
    found = { failure: [err.message, err.hint].filter(Boolean).join("; ") };
  }
  if (found.summary) {
    utils.status.show(found.summary);
  }
  if (found.stop) {
    return utils.build.failBuild(found.stop);
  }
  if (found.failure) {
    const fail = failing(inputs).includes("errors") ? utils.build.failBuild : utils.build.failPlugin;
    return fail(`the sitemap could not be built: ${found.failure}`);
  }
}

// guard writes the sitemap and compares it with the one before. It returns what
// the deploy is to show, why it is to stop if it is, or what went wrong.
async function guard(constants, inputs) {
  await mkdir(folder, { recursive: true });
  const site = await settings(constants, inputs);
  await rm(built, { force: true });
  await run(["build", "--report", `json=${built}`], site);
  const report = await json(built);
  if (!report || report.error) {
    return { failure: report?.error ?? "the log above says why" };
  }
  const difference = await compare(inputs, site);
  return { summary: summary(report, difference), stop: reasonToStop(report, difference, inputs) };
}

export async function onSuccess({ constants, inputs, utils }) {
  const report = await json(built);
  if (process.env.CONTEXT !== "production" || !report) {
    return;
  }
  if (report.settings?.some((setting) => setting.key === "output.indexnow")) {
    await tell(await settings(constants, inputs));
  }
  await rename(built, published);
  await rm(changes, { force: true });
  await utils.cache.save(folder);
}

// tell tells search engines what is new since they were told last. What could not be
// told waits for the next deploy. The site is published: nothing here fails it.
async function tell(site) {
  try {
    if (!(await json(told)) && (await json(published))) {
      await copyFile(published, told);
    }
    if (!(await json(told)) || (await run(["submit", "--since", told, "--state", messages, "--wait", "2m", "--strict"], site)) === 0) {
      await copyFile(built, told);
    }
  } catch (err) {
    console.error(`search engines could not be told what changed: ${[err.message, err.hint].filter(Boolean).join("; ")}`);
  }
}

// settings are the variables by which the program knows the site.
async function settings(constants, inputs) {
  const site = { SITEWALK_DIR: constants.PUBLISH_DIR, SITEWALK_CACHE: folder };
  if (inputs.base_url) {
    site.SITEWALK_BASE_URL = inputs.base_url;
  }
  if (inputs.indexnow_key) {
    site.INDEXNOW_KEY = inputs.indexnow_key;
  }
  if (inputs.ledger && !(await ownLedger())) {
    site.SITEWALK_LEDGER = ledger;
  }
  return site;
}

// mistake names what is wrong with the inputs; "" is nothing.
function mistake(inputs) {
  const unknown = failing(inputs).find((cause) => !causes.includes(cause));
  if (unknown !== undefined) {
    return `netlify.toml: fail_on "${unknown}" is neither ${causes.map((cause) => `"${cause}"`).join(" nor ")}`;
  }
  if (inputs.max_loss !== undefined && !/^\d+(\.\d+)?%?$/.test(String(inputs.max_loss))) {
    return `netlify.toml: max_loss "${inputs.max_loss}" is neither a number nor a share such as "2%"`;
  }
  if (inputs.base_url !== undefined && !/^https?:\/\/[^/]/.test(inputs.base_url)) {
    return `netlify.toml: base_url "${inputs.base_url}" is no address; write https://example.com/`;
  }
  if (typeof inputs.ledger !== "boolean") {
    return `netlify.toml: ledger ${JSON.stringify(inputs.ledger)} is neither true nor false`;
  }
  return "";
}

function failing(inputs) {
  return String(inputs.fail_on).split(",").map((cause) => cause.trim()).filter((cause) => cause !== "");
}

// ownLedger reports whether sitemap.yaml names a ledger, or none.
async function ownLedger() {
  try {
    return /^["']?ledger["']?\s*:/m.test(await readFile(process.env.SITEWALK_CONFIG || "sitemap.yaml", "utf8"));
  } catch {
    return false; // sitewalk says what is wrong with the file
  }
}

// compare holds the site against the list that was published last. Without one
// there is nothing to compare.
async function compare(inputs, site) {
  await rm(changes, { force: true });
  if (await json(published)) {
    const most = inputs.max_loss === undefined ? [] : ["--max-loss", String(inputs.max_loss)];
    await run(["diff", published, ...most, "--report", `json=${changes}`], site);
  }
  return json(changes);
}

// reasonToStop says why the deploy is to stop, if the inputs ask for it.
function reasonToStop(report, difference, inputs) {
  const asked = failing(inputs);
  if (asked.includes("errors") && report.counts.errors > 0) {
    return `the site has ${count(report.counts.errors, "error")}; the log above names them`;
  }
  if (asked.includes("lost") && difference?.error) {
    return `the list cannot be compared with the one before: ${difference.error}`;
  }
  if (asked.includes("lost") && difference?.changes.lost > difference?.changes.max_loss) {
    const lost = missing(difference).map((change) => `${change.class}: ${change.url}`);
    return `the deploy would lose ${count(difference.changes.lost, "URL")}:\n${few(lost).join("\n")}`;
  }
  return "";
}

// missing are the URLs that visitors and search engines would not find again.
function missing(difference) {
  return difference.changes.list.filter((change) => ["lost", "badly moved", "hidden"].includes(change.class));
}

// summary is what the page of the deploy shows.
function summary(report, difference) {
  const parts = [count(report.urls, "URL")];
  const lines = [];
  if (difference?.changes) {
    const classes = new Map();
    for (const change of difference.changes.list) {
      classes.set(change.class, (classes.get(change.class) ?? 0) + 1);
    }
    parts.push(...[...classes].map(([name, n]) => `${n} ${name}`));
    if (difference.changes.list.length === 0) {
      lines.push("The list is as it was published last.");
    }
    for (const change of missing(difference)) {
      lines.push([`${change.class}: ${change.url}`, change.reason, change.fix && `add to ${change.in}: ${change.fix}`].filter(Boolean).join("\n  "));
    }
  } else {
    lines.push("There is no list of a published build yet to compare with.");
  }
  for (const [name, n] of Object.entries(report.counts)) {
    if (n > 0 && (name === "errors" || name === "warnings")) {
      parts.push(count(n, name.slice(0, -1)));
    }
  }
  return { title: "Sitemap", summary: parts.join(", "), text: few(lines).join("\n") || undefined };
}

// few names as many as a person reads, and counts the others.
function few(lines, most = 20) {
  return lines.length <= most ? lines : [...lines.slice(0, most), `and ${lines.length - most} more`];
}

function count(n, noun) {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}

async function json(file) {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch {
    return undefined; // not there, or cut off
  }
}

// run runs the program, whose talk goes to the log; what came of it stands in its
// report. Our variables stay out of process.env, which Netlify hands on.
function run(args, variables = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(sitewalk.binary(), args, { stdio: "inherit", env: { ...process.env, ...variables } });
    child.on("error", reject);
    child.on("close", resolve);
  });
}
