// Serves folders on the loopback interface like different hosts. Prints the port.
//
//   node server.mjs JSON
//
// JSON is a list of {name, host, dir, base}. The server answers a request for /NAME/PATH as the host
// with this name answers a request for /PATH. The rules for files are those in
// https://github.com/slorber/trailing-slash-guide and do not depend on sitewalk.
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { createRequire } from 'node:module'
import { parseAllHeaders } from '@netlify/headers-parser'
import { parseAllRedirects } from '@netlify/redirect-parser'
import { cloudflareMetadata } from './answer.mjs'

const require = createRequire(import.meta.url)
const encode = (path) => encodeURI(path).replace(/[?#]/g, encodeURIComponent) // the path of the request
const escape = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

class Folder {
  constructor(dir) { this.dir = `${dir}/public` }
  has(path) {
    const stat = fs.statSync(this.dir + path, { throwIfNoEntry: false })
    return Boolean(stat?.isFile())
  }
  read(path) { return fs.readFileSync(this.dir + path) }
}

const found = (file) => ({ status: 200, file })
const moved = (location, status = 301) => ({ status, location })
const missing = { status: 404 }

function nginx(folder, path, status = 301) {
  if (path.endsWith('/')) return folder.has(`${path}index.html`) ? found(`${path}index.html`) : missing
  if (folder.has(path)) return found(path)
  return folder.has(`${path}/index.html`) ? moved(`${path}/`, status) : missing
}

// https://docs.aws.amazon.com/AmazonS3/latest/userguide/IndexDocumentSupport.html
function s3(folder, path) {
  const key = path.endsWith('/') ? `${path}index.html` : path
  if (folder.has(key)) return found(key)
  return folder.has(`${path}/index.html`) ? moved(`${path}/`, 302) : missing
}

function github(folder, path) {
  const plain = nginx(folder, path)
  return plain.status !== 200 && !path.endsWith('/') && folder.has(`${path}.html`) ? found(`${path}.html`) : plain
}

function netlifyFiles(folder, path, pretty) {
  const bare = path.replace(/\/$/, '')
  if (!pretty) {
    const index = `${bare}/index.html`
    for (const file of path.endsWith('/') ? [index, `${bare}.html`] : [path, `${bare}.html`, index]) {
      if (!file.endsWith('/') && folder.has(file)) return found(file)
    }
    return missing
  }
  if (path.endsWith('/') && path !== '/' && folder.has(`${bare}.html`)) return moved(bare)
  return github(folder, path)
}

// netlifyMatcher returns a regular expression for the path of a rule. A :name matches a segment, and
// * matches the rest of the path.
function netlifyMatcher(from) {
  const path = from.replace(/^https?:\/\/[^/]*/, '')
  const source = path.split('/').filter(Boolean).map((part) => {
    if (part === '*') return '(?:/(?<splat>.*))?'
    if (part.startsWith(':')) return `/(?<${part.slice(1)}>[^/]+)`
    return '/' + part.split('*').map((s) => escape(decodeURIComponent(s))).join('(?<splat>.*)')
  }).join('')
  return new RegExp(`^${source}/?$`)
}

async function netlify({ dir, base }, folder) {
  const toml = `${dir}/netlify.toml`
  const { redirects } = await parseAllRedirects({ redirectsFiles: [`${folder.dir}/_redirects`], netlifyConfigPath: toml })
  const { headers } = await parseAllHeaders({ headersFiles: [`${folder.dir}/_headers`], netlifyConfigPath: toml, minimal: false })
  const pretty = !(fs.existsSync(toml) && /pretty_urls\s*=\s*false/.test(fs.readFileSync(toml, 'utf8')))
  const own = new URL(base)
  const rules = redirects.filter((r) =>
    Object.keys(r.query ?? {}).length === 0 && Object.keys(r.conditions).length === 0 && !r.signed &&
    (!r.host || (r.host === own.host && `${r.scheme}:` === own.protocol)))
  return (path) => {
    const file = netlifyFiles(folder, path, pretty)
    let answer = file
    for (const r of rules) {
      const m = netlifyMatcher(r.from).exec(path)
      if (!m || (!r.force && file.status !== 404)) continue // like alternativePathsFor in Netlify's CLI
      const status = r.status ?? 301
      const to = r.to.replace(/:(\w+)/g, (all, name) => m.groups?.[name] ?? (name === 'splat' ? '' : all))
      if (status >= 300 && status < 400 && new URL(to, own).pathname.replace(/\/$/, '') === encode(path).replace(/\/$/, '') && new URL(to, own).host === own.host) continue
      answer = status === 200 ? { status: 200, file: to } : status < 400 ? moved(to, status) : { status }
      break
    }
    let robots
    for (const h of headers) {
      if (!h.forRegExp.test(path)) continue
      for (const [name, value] of Object.entries(h.values)) if (name.toLowerCase() === 'x-robots-tag') robots = value
    }
    return { ...answer, robots }
  }
}

async function vercel({ dir, base }, folder) {
  const { getTransformedRoutes } = require('@vercel/routing-utils')
  const config = JSON.parse(fs.readFileSync(`${dir}/vercel.json`, 'utf8'))
  const { routes, error } = getTransformedRoutes(config)
  if (error) throw new Error(error.message)
  const host = new URL(base).host
  const matches = (c) => c.type === 'host' && new RegExp(`^(?:${c.value})$`).test(host)
  return (path) => {
    let robots
    for (const route of routes ?? []) {
      if (route.handle) break
      const m = new RegExp(route.src).exec(path)
      if (!m || (route.has ?? []).some((c) => !matches(c)) || (route.missing ?? []).some(matches)) continue
      const headers = Object.fromEntries(Object.entries(route.headers ?? {}).map(([k, v]) => [k.toLowerCase(), v]))
      if (route.continue) {
        robots = headers['x-robots-tag'] ?? robots
        continue
      }
      if (!route.status) continue
      const location = (headers.location ?? '').replace(/\$(\d)/g, (_, n) => m[n] ?? '')
      if (location !== path) return { status: route.status, location, robots }
    }
    const bare = path.replace(/\/$/, '')
    const files = [path, `${bare}/index.html`]
    if (config.cleanUrls) files.splice(path.endsWith('/') ? 2 : 1, 0, `${bare}.html`)
    const file = files.find((f) => !f.endsWith('/') && folder.has(f))
    return file ? { ...found(file), robots } : missing
  }
}

// workersHandler returns the asset handler of Cloudflare Workers, which is part of the bundle of
// miniflare.
function workersHandler() {
  const main = require.resolve('miniflare', { paths: [require.resolve('@cloudflare/pages-shared/package.json')] })
  const bundle = fs.readFileSync(path.join(path.dirname(main), 'workers', 'assets', 'assets.worker.js'), 'utf8')
  const from = bundle.indexOf('// ../workers-shared/utils/performance.ts')
  const to = bundle.indexOf('// ../workers-shared/asset-worker/src/utils/final-operations.ts')
  if (from < 0 || to < from) throw new Error('miniflare does not contain the asset handler')
  return new Function(`${bundle.slice(from, to)}; return { handleRequest, normalizeConfiguration }`)()
}

async function workers({ dir, base }, folder, wrangler) {
  const { handleRequest, normalizeConfiguration } = workersHandler()
  const { redirects, headers } = await cloudflareMetadata(dir)
  const configuration = normalizeConfiguration({ html_handling: wrangler.assets.html_handling, redirects, headers })
  const span = { setTags() {}, addLogs() {} }
  const env = { JAEGER: { enterSpan: (_, run) => run(span) } }
  return async (path) => {
    let file
    const response = await handleRequest(
      new Request(new URL(encode(path), base)), env, configuration,
      async (p) => (folder.has(p) ? p : null),
      async (p) => { file = p; return { readableStream: null, contentType: 'text/html', cacheStatus: 'HIT' } },
      { setData() {} })
    const location = response.headers.get('location')
    return { status: response.status, file, location, robots: response.headers.get('x-robots-tag') }
  }
}

function wranglerOf(dir) {
  for (const name of ['wrangler.json', 'wrangler.jsonc']) {
    if (fs.existsSync(`${dir}/${name}`)) return JSON.parse(fs.readFileSync(`${dir}/${name}`, 'utf8'))
  }
  const toml = fs.existsSync(`${dir}/wrangler.toml`) ? fs.readFileSync(`${dir}/wrangler.toml`, 'utf8') : ''
  const table = /^\[assets\]\n([^[]*)/m.exec(toml)
  return table ? { assets: { html_handling: /html_handling\s*=\s*"(.*)"/.exec(table[1])?.[1] } } : {}
}

async function cloudflare({ dir, base }, folder) {
  const wrangler = wranglerOf(dir)
  if (wrangler.assets) return workers({ dir, base }, folder, wrangler)
  const { generateHandler } = await import('@cloudflare/pages-shared/dist/asset-server/handler.js')
  const metadata = await cloudflareMetadata(dir)
  return async (path) => {
    let file
    const response = await generateHandler({
      request: new Request(new URL(encode(path), base)),
      metadata,
      logError: (err) => { throw err },
      findAssetEntryForPath: async (p) => (folder.has(p) ? p : null),
      getAssetKey: (entry) => entry,
      negotiateContent: () => ({ encoding: null }),
      fetchAsset: async (key) => { file = key; return { body: null, contentType: 'text/html' } },
    })
    const location = response.headers.get('location')
    if (location && new URL(location, base).href === new URL(encode(path), base).href) return found(path)
    return { status: response.status, file, location, robots: response.headers.get('x-robots-tag') }
  }
}

// siteOf returns the site in the hosting configuration of Firebase that has the base URL, or the site
// with the publish directory public.
const siteOf = (hosting, base) => (Array.isArray(hosting)
  ? hosting.find((s) => base.host === `${s.site}.web.app`) ?? hosting.find((s) => /^(.\/)?public$/.test(s.public))
  : hosting)

// firebase uses superstatic, the server of the Firebase emulator.
async function firebase({ dir, base }) {
  const file = `${dir}/firebase.json`
  const { hosting } = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')
    .replace(/^\s*\/\/.*$/gm, '').replaceAll('(?P<', '(?<')) : {} // superstatic has no RE2 here, so use the syntax of JavaScript
  const superstatic = require('superstatic/lib/superstatic.js')
  return { server: superstatic({ cwd: dir, config: { ...siteOf(hosting, new URL(base)), public: 'public' }, fallthrough: false }) }
}

// azure uses the routes engine of the Static Web Apps CLI. The rules for files are those in
// https://learn.microsoft.com/azure/static-web-apps/configuration.
async function azure({ dir }, folder) {
  const engine = '@azure/static-web-apps-cli/dist/msha/routes-engine/rules'
  const { tryGetMatchingRoute, isRouteRequiringUserRolesCheck } = await import(`${engine}/routes.js`)
  const { getHeadersForRoute } = await import(`${engine}/headers.js`)
  const { isRequestPathExcludedFromNavigationFallback } = await import(`${engine}/navigation-fallback.js`)
  const name = [`${folder.dir}/staticwebapp.config.json`, `${dir}/staticwebapp.config.json`].find((f) => fs.existsSync(f))
  const config = name ? JSON.parse(fs.readFileSync(name, 'utf8')) : {}
  return (path) => {
    const rule = tryGetMatchingRoute({ url: encode(path), method: 'GET', headers: { host: 'host' } }, config)
    let robots
    for (const [key, value] of Object.entries(getHeadersForRoute(rule?.headers, config.globalHeaders))) {
      if (key.toLowerCase() === 'x-robots-tag') robots = value
    }
    if (rule?.statusCode >= 400) return { status: rule.statusCode }
    if (!isRouteRequiringUserRolesCheck({ headers: {} }, rule, false, 0)) return { status: 401 }
    if (rule?.redirect) {
      return moved(decodeURI(rule.redirect.replace(/^\w+:\/\/host(?=\/)/, '')), rule.statusCode === 301 ? 301 : 302)
    }
    if (rule?.rewrite) return { ...found(rule.rewrite), robots }
    const file = azureFiles(folder, path, config.trailingSlash)
    if (file.status !== 404) return { ...file, robots }
    const fallback = config.navigationFallback
    if (fallback && !isRequestPathExcludedFromNavigationFallback(path, fallback, rule)) return { ...found(fallback.rewrite), robots }
    return missing
  }
}

function azureFiles(folder, path, slash) {
  const bare = path.replace(/\/$/, '')
  const isDir = path.endsWith('/')
  const page = [!isDir && path, isDir && `${bare}/index.html`, `${bare}.html`, `${bare}/index.html`].find((f) => f && folder.has(f))
  if (!page) return missing
  if (!slash) return isDir && page === `${bare}.html` ? moved(bare) : found(page)
  const isIndex = page.endsWith('/index.html')
  let own = page.replace(/(\/index)?\.html$/, '')
  if (page.endsWith('.html') && (slash === 'always' || (slash === 'auto' && isIndex))) own += '/'
  own ||= '/'
  return own === path ? found(page) : moved(own)
}

// https://docs.gitlab.com/user/project/pages/introduction/#resolving-ambiguous-urls
async function gitlab({ base }, folder) {
  const { origin, pathname } = new URL(base)
  const file = `${folder.dir}/_redirects`
  const rules = []
  for (const line of fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n') : []) {
    const [from, to, status = '301', ...more] = line.trim().split(/\s+/)
    if (!from || from.startsWith('#')) continue
    if (!to || !/^\d+!?$/.test(status)) {
      rules.length = 0
      break
    }
    if (!['200', '301', '302'].includes(status) || more.length > 0 || !/^(\/|https?:)/.test(to)) continue
    if (!from.startsWith('/') && !from.startsWith(`${origin}/`)) continue
    const source = from.replace(origin, '').split('/').filter(Boolean).map((part) => {
      if (part === '*') return '/*(?<splat>.*)/*'
      return part.startsWith(':') ? `/+(?<${part.slice(1)}>[^/]+)` : `/+${escape(part)}`
    }).join('')
    rules.push({ match: new RegExp(`^${source}/*$`, 'i'), to, status: Number(status) })
  }
  return (path) => {
    const bare = path.replace(/\/$/, '')
    if (!path.endsWith('/') && folder.has(path)) return found(path)
    if (folder.has(`${bare}/index.html`)) return path.endsWith('/') ? found(`${bare}/index.html`) : moved(`${path}/`, 302)
    if (folder.has(`${bare}.html`)) return found(`${bare}.html`)
    for (const { match, to, status } of rules) {
      const m = match.exec(pathname.replace(/\/$/, '') + path)
      if (!m) continue
      const target = to.replace(/:([a-z]+)/gi, (all, name) => m.groups?.[name] ?? (all.startsWith('://') ? all : '')).replace(/([^:])\/+/g, '$1/')
      return status === 200 ? found(target) : moved(target, status)
    }
    return missing
  }
}

const hosts = {
  netlify, vercel, cloudflare, firebase, azure, gitlab,
  caddy: async (_, folder) => (path) => nginx(folder, path, 308),
  render: async (_, folder) => (path) => netlifyFiles(folder, path, false),
  surge: async (_, folder) => (path) => github(folder, path),
  apache: async (_, folder) => (path) => nginx(folder, path),
  readthedocs: async (_, folder) => (path) => nginx(folder, path, 302),
  deno: async (_, folder) => (path) => nginx(folder, path),
  amplify: async (_, folder) => (path) => nginx(folder, path),
  github: async (_, folder) => (path) => github(folder, path),
  s3: async (_, folder) => (path) => s3(folder, path),
  nginx: async (_, folder) => (path) => nginx(folder, path),
  none: async (_, folder) => (path) => nginx(folder, path),
}

const sites = {}
const folders = {}
for (const site of JSON.parse(process.argv[2])) {
  folders[site.name] = new Folder(site.dir)
  sites[site.name] = await hosts[site.host](site, folders[site.name])
}

const server = http.createServer(async (request, response) => {
  const [, name, ...rest] = request.url.split('?')[0].split('/')
  if (sites[name].server) {
    request.url = `/${rest.join('/')}`
    return sites[name].server(request, response, () => response.writeHead(404).end())
  }
  const answer = await sites[name](decodeURIComponent(`/${rest.join('/')}`))
  const headers = {}
  if (answer.location) headers.location = encodeURI(answer.location).replace(/%25([0-9A-F]{2})/gi, '%$1') // do not escape again
  if (answer.robots) headers['x-robots-tag'] = answer.robots
  response.writeHead(answer.status, headers)
  const folder = folders[name]
  response.end(answer.status === 200 && answer.file && folder.has(answer.file) ? folder.read(answer.file) : undefined)
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
