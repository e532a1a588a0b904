import { spawn } from "node:child_process";
import { copyFile, mkdir, readFile, rename, rm } from "node:fs/promises";

import sitewalk from "sitewalk";

// folder contains the files that are kept between builds: the ledger, and the report of the
// last published build. The report of the next build is compared with the published one.
const folder = ".cache/sitewalk";
const ledger = `${folder}/ledger`;
const published = `${folder}/published.json`;
const built = `${folder}/built.json`;
const changes = `${folder}/changes.json`;

// sent is the report of the build whose changes were last sent to search engines.
const sent = `${folder}/sent.json`;

// visit is the report of the check of the live site after the deploy.
const visit = `${folder}/visit.json`;

const causes = ["lost", "errors", "live"];

export async function onPreBuild({ inputs, utils }) {
  const wrong = inputError(inputs);
  if (wrong) {
    return utils.build.failBuild(wrong);
  }
  await rm(folder, { recursive: true, force: true });
  await utils.cache.restore(folder);
}

export async function onPostBuild({ constants, inputs, utils }) {
  let found;
  try {
    found = await buildAndCompare(constants, inputs);
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
    const fail = failCauses(inputs).includes("errors") ? utils.build.failBuild : utils.build.failPlugin;
    return fail(`the sitemap could not be built: ${found.failure}`);
  }
}

// buildAndCompare writes the sitemap and compares it with the last published one. The result
// has the summary for the page of the deploy, and in stop the reason to stop the deploy, or
// "". If the sitemap could not be built, the result has only failure, the cause.
async function buildAndCompare(constants, inputs) {
  await mkdir(folder, { recursive: true });
  const site = await sitewalkVariables(constants, inputs);
  await rm(built, { force: true });
  await runSitewalk(["build", "--report", `json=${built}`], site);
  const report = await readJSON(built);
  if (!report || report.error) {
    return { failure: report?.error ?? "the log above says why" };
  }
  const difference = await compareWithPublished(inputs, site);
  return { summary: formatSummary(report, difference), stop: reasonToStop(report, difference, inputs) };
}

export async function onSuccess({ constants, inputs, utils }) {
  const report = await readJSON(built);
  if (process.env.CONTEXT !== "production" || !report) {
    return;
  }
  const site = await sitewalkVariables(constants, inputs);
  if (report.settings?.some((setting) => setting.key === "output.indexnow")) {
    await submitChanges(site);
  }
  const seen = await checkLiveSite(inputs, site);
  if (seen) {
    utils.status.show(formatSummary(report, await readJSON(changes), seen));
  }
  await rename(built, published);
  await rm(changes, { force: true });
  await rm(visit, { force: true });
  await utils.cache.save(folder);
  if (seen?.wrong.length > 0 && failCauses(inputs).includes("live")) {
    return utils.build.failPlugin(`the deploy is live, and ${truncateLines(seen.wrong).join("\n")}`);
  }
}

// checkLiveSite requests pages of the live site. The result has the numbers of requests and
// correct answers as text, all messages about the live site, and in wrong the errors among
// them. The result is undefined if the input live is 0, or if there is no report.
async function checkLiveSite(inputs, site) {
  if (Number(inputs.live) === 0) {
    return;
  }
  try {
    await rm(visit, { force: true });
    await runSitewalk(["check", "--live", "--sample", String(inputs.live), "--wait", "2m", "--timeout", "5m", "--report", `json=${visit}`], site);
  } catch (err) {
    console.error(`the live site could not be checked: ${[err.message, err.hint].filter(Boolean).join("; ")}`);
  }
  const report = await readJSON(visit);
  if (!report) {
    return;
  }
  const found = report.findings.flatMap((kind) => kind.findings).filter((f) => f.code.startsWith("live-") || f.code === "host-differs");
  const wrong = found.filter((f) => f.severity === "error").map((f) => f.message);
  return {
    counts: report.live && `${formatCount(report.live.answered, "live URL")} requested, ${report.live.correct} correct`,
    found: found.map((f) => f.message),
    wrong: report.error ? [report.error, ...wrong] : wrong,
  };
}

// submitChanges sends the changes since the last submission to search engines. Changes that
// could not be sent are sent after the next deploy. An error does not fail the deploy,
// because the site is already live.
async function submitChanges(site) {
  try {
    if (!(await readJSON(sent)) && (await readJSON(published))) {
      await copyFile(published, sent);
    }
    if (!(await readJSON(sent)) || (await runSitewalk(["submit", "--since", sent, "--wait", "2m", "--strict"], site)) === 0) {
      await copyFile(built, sent);
    }
  } catch (err) {
    console.error(`the changes could not be sent to search engines: ${[err.message, err.hint].filter(Boolean).join("; ")}`);
  }
}

// sitewalkVariables returns the environment variables that configure sitewalk for the site.
async function sitewalkVariables(constants, inputs) {
  const site = { SITEWALK_DIR: constants.PUBLISH_DIR, SITEWALK_CACHE: folder };
  if (inputs.base_url) {
    site.SITEWALK_BASE_URL = inputs.base_url;
  }
  if (inputs.indexnow_key) {
    site.INDEXNOW_KEY = inputs.indexnow_key;
  }
  if (inputs.ledger && !(await hasLedgerKey())) {
    site.SITEWALK_LEDGER = ledger;
  }
  return site;
}

// inputError returns a message about the first invalid input, or "" if all inputs are valid.
function inputError(inputs) {
  const unknown = failCauses(inputs).find((cause) => !causes.includes(cause));
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

// failCauses returns the causes that fail the deploy, from the input fail_on.
function failCauses(inputs) {
  return String(inputs.fail_on).split(",").map((cause) => cause.trim()).filter((cause) => cause !== "");
}

// hasLedgerKey reports whether sitemap.yaml has the key ledger, with any value.
async function hasLedgerKey() {
  try {
    return /^["']?ledger["']?\s*:/m.test(await readFile(process.env.SITEWALK_CONFIG || "sitemap.yaml", "utf8"));
  } catch {
    return false; // sitewalk reports errors in the file
  }
}

// compareWithPublished compares the site with the last published list, and returns the
// report of "sitewalk diff". It returns undefined if there is no published list.
async function compareWithPublished(inputs, site) {
  await rm(changes, { force: true });
  if (await readJSON(published)) {
    const most = inputs.max_loss === undefined ? [] : ["--max-loss", String(inputs.max_loss)];
    await runSitewalk(["diff", published, ...most, "--report", `json=${changes}`], site);
  }
  return readJSON(changes);
}

// reasonToStop returns the reason to stop the deploy, or "" if the deploy may continue.
function reasonToStop(report, difference, inputs) {
  const causes = failCauses(inputs);
  if (causes.includes("errors") && report.counts.errors > 0) {
    return `the site has ${formatCount(report.counts.errors, "error")}; the log above names them`;
  }
  if (causes.includes("lost") && difference?.error) {
    return `the list cannot be compared with the published one: ${difference.error}`;
  }
  if (causes.includes("lost") && difference?.changes.lost > difference?.changes.max_loss) {
    const lost = lostChanges(difference).map((change) => `${change.class}: ${change.url}`);
    return `the deploy would lose ${formatCount(difference.changes.lost, "URL")}:\n${truncateLines(lost).join("\n")}`;
  }
  return "";
}

// lostChanges returns the changes after which visitors or search engines no longer find a URL.
function lostChanges(difference) {
  return difference.changes.list.filter((change) => ["lost", "badly moved", "hidden"].includes(change.class));
}

// formatSummary returns the title, summary and text for the page of the deploy. seen is the
// result of checkLiveSite, or undefined if the live site was not requested.
function formatSummary(report, difference, seen) {
  const parts = [formatCount(report.urls, "URL")];
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
    for (const change of lostChanges(difference)) {
      lines.push([`${change.class}: ${change.url}`, change.reason, change.fix && `add to ${change.in}: ${change.fix}`].filter(Boolean).join("\n  "));
    }
  } else {
    lines.push("This is the first build with the plugin: there is no published list to compare with.");
  }
  for (const [name, n] of Object.entries(report.counts)) {
    if (n > 0 && (name === "errors" || name === "warnings")) {
      parts.push(formatCount(n, name.slice(0, -1)));
    }
  }
  if (seen?.counts) {
    parts.push(seen.counts);
  }
  return { title: "Sitemap", summary: parts.join(", "), text: truncateLines(lines).join("\n") || undefined };
}

// truncateLines returns the first lines, followed by a line with the number of the other lines.
function truncateLines(lines, most = 20) {
  return lines.length <= most ? lines : [...lines.slice(0, most), `and ${lines.length - most} more`];
}

function formatCount(n, noun) {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}

async function readJSON(file) {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch {
    return undefined; // the file is missing or incomplete
  }
}

// runSitewalk runs sitewalk with further environment variables, and returns its exit code.
// Its output goes to the log. The variables are not added to process.env, because Netlify
// passes process.env to later steps.
function runSitewalk(args, variables = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(sitewalk.binary(), args, { stdio: "inherit", env: { ...process.env, ...variables } });
    child.on("error", reject);
    child.on("close", resolve);
  });
}
