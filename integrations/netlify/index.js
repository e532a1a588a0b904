import { spawn } from "node:child_process";
import { copyFile, mkdir, readFile, rename, rm } from "node:fs/promises";

import sitewalk from "sitewalk";

// What is kept between builds: the ledger, and the report of the last published build,
// with which the next one is compared.
const folder = ".cache/sitewalk";
const ledger = `${folder}/ledger`;
const published = `${folder}/published.json`;
const built = `${folder}/built.json`;
const changes = `${folder}/changes.json`;

// What search engines received last: the report of that build, and each message.
const sent = `${folder}/sent.json`;

// What the live site answered after the deploy.
const visit = `${folder}/visit.json`;

const causes = ["lost", "errors", "live"];

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

// guard writes the sitemap and compares it with the last published one. It returns what
// the deploy's page shows, and why the deploy stops or what went wrong, if so.
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
  const site = await settings(constants, inputs);
  if (report.settings?.some((setting) => setting.key === "output.indexnow")) {
    await submit(site);
  }
  const seen = await ask(inputs, site);
  if (seen) {
    utils.status.show(summary(report, await json(changes), seen));
  }
  await rename(built, published);
  await rm(changes, { force: true });
  await rm(visit, { force: true });
  await utils.cache.save(folder);
  if (seen?.wrong.length > 0 && failing(inputs).includes("live")) {
    return utils.build.failPlugin(`the deploy is live, and ${few(seen.wrong).join("\n")}`);
  }
}

// ask asks the live site whether it answers as it should. It returns how many addresses
// were asked for, and what is wrong.
async function ask(inputs, site) {
  if (Number(inputs.live) === 0) {
    return;
  }
  try {
    await rm(visit, { force: true });
    await run(["check", "--live", "--sample", String(inputs.live), "--wait", "2m", "--timeout", "5m", "--report", `json=${visit}`], site);
  } catch (err) {
    console.error(`the live site could not be asked: ${[err.message, err.hint].filter(Boolean).join("; ")}`);
  }
  const report = await json(visit);
  if (!report) {
    return;
  }
  const found = report.findings.flatMap((kind) => kind.findings).filter((f) => f.code.startsWith("live-") || f.code === "host-differs");
  const wrong = found.filter((f) => f.severity === "error").map((f) => f.message);
  return {
    counts: report.live && `${count(report.live.asked, "live URL")} asked, ${report.live.right} right`,
    found: found.map((f) => f.message),
    wrong: report.error ? [report.error, ...wrong] : wrong,
  };
}

// submit sends search engines what changed since they received something. What could not
// be sent waits for the next deploy. The site is live already, so nothing here fails it.
async function submit(site) {
  try {
    if (!(await json(sent)) && (await json(published))) {
      await copyFile(published, sent);
    }
    if (!(await json(sent)) || (await run(["submit", "--since", sent, "--wait", "2m", "--strict"], site)) === 0) {
      await copyFile(built, sent);
    }
  } catch (err) {
    console.error(`the changes could not be sent to search engines: ${[err.message, err.hint].filter(Boolean).join("; ")}`);
  }
}

// settings returns the variables that tell the program about the site.
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
    return `netlify.toml: fail_on "${unknown}" is not one of ${causes.map((cause) => `"${cause}"`).join(", ")}`;
  }
  if (inputs.max_loss !== undefined && !/^\d+(\.\d+)?%?$/.test(String(inputs.max_loss))) {
    return `netlify.toml: max_loss "${inputs.max_loss}" is neither a number nor a percentage such as "2%"`;
  }
  if (inputs.base_url !== undefined && !/^https?:\/\/[^/]/.test(inputs.base_url)) {
    return `netlify.toml: base_url "${inputs.base_url}" is not an address; write https://example.com/`;
  }
  if (!/^\d+$/.test(String(inputs.live))) {
    return `netlify.toml: live ${JSON.stringify(inputs.live)} is not a number of addresses; 0 asks for none`;
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

// compare compares the site with the list that was published last, if there is one.
async function compare(inputs, site) {
  await rm(changes, { force: true });
  if (await json(published)) {
    const most = inputs.max_loss === undefined ? [] : ["--max-loss", String(inputs.max_loss)];
    await run(["diff", published, ...most, "--report", `json=${changes}`], site);
  }
  return json(changes);
}

// reasonToStop returns why the deploy has to stop; "" if it need not.
function reasonToStop(report, difference, inputs) {
  const asked = failing(inputs);
  if (asked.includes("errors") && report.counts.errors > 0) {
    return `the site has ${count(report.counts.errors, "error")}; the log above names them`;
  }
  if (asked.includes("lost") && difference?.error) {
    return `the list cannot be compared with the published one: ${difference.error}`;
  }
  if (asked.includes("lost") && difference?.changes.lost > difference?.changes.max_loss) {
    const lost = missing(difference).map((change) => `${change.class}: ${change.url}`);
    return `the deploy would lose ${count(difference.changes.lost, "URL")}:\n${few(lost).join("\n")}`;
  }
  return "";
}

// missing returns the URLs that visitors and search engines would no longer find.
function missing(difference) {
  return difference.changes.list.filter((change) => ["lost", "badly moved", "hidden"].includes(change.class));
}

// summary is what the page of the deploy shows; seen is what the live site answered, if it
// was asked.
function summary(report, difference, seen) {
  const parts = [count(report.urls, "URL")];
  const lines = [...(seen?.found ?? [])];
  if (difference?.changes) {
    const classes = new Map();
    for (const change of difference.changes.list) {
      classes.set(change.class, (classes.get(change.class) ?? 0) + 1);
    }
    parts.push(...[...classes].map(([name, n]) => `${n} ${name}`));
    if (difference.changes.list.length === 0) {
      lines.push("The list is the same as the published one.");
    }
    for (const change of missing(difference)) {
      lines.push([`${change.class}: ${change.url}`, change.reason, change.fix && `add to ${change.in}: ${change.fix}`].filter(Boolean).join("\n  "));
    }
  } else {
    lines.push("This is the first build with the plugin: there is no published list to compare with.");
  }
  for (const [name, n] of Object.entries(report.counts)) {
    if (n > 0 && (name === "errors" || name === "warnings")) {
      parts.push(count(n, name.slice(0, -1)));
    }
  }
  if (seen?.counts) {
    parts.push(seen.counts);
  }
  return { title: "Sitemap", summary: parts.join(", "), text: few(lines).join("\n") || undefined };
}

// few returns the first lines, and a count of the others.
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

// run runs the program, which prints to the log and writes its result into its report.
// Our variables stay out of process.env, which Netlify passes to later steps.
function run(args, variables = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(sitewalk.binary(), args, { stdio: "inherit", env: { ...process.env, ...variables } });
    child.on("error", reject);
    child.on("close", resolve);
  });
}
