// Determines the responses of hosts to requests, with the packages of the hosts.
//
// Standard input: a list of {host, base, dir, files, paths}. Standard output: for each item, an
// object with answers, which has one object for each path.
import fs from 'node:fs'
import { createRequire } from 'node:module'
import { parseAllHeaders } from '@netlify/headers-parser'
import { parseAllRedirects } from '@netlify/redirect-parser'

const require = createRequire(import.meta.url)

const encode = (path) => path.split('/').map(encodeURIComponent).join('/')

// The packages of Netlify parse redirects but do not match them, so netlify returns the rules. The
// parsed headers have a regular expression for the path.
async function netlify({ dir, paths }) {
  const { redirects } = await parseAllRedirects({
    redirectsFiles: [`${dir}/public/_redirects`],
    netlifyConfigPath: `${dir}/netlify.toml`,
  })
  const { headers } = await parseAllHeaders({
    headersFiles: [`${dir}/public/_headers`],
    netlifyConfigPath: `${dir}/netlify.toml`,
    minimal: false,
  })
  const rules = redirects.map((r) => ({
    from: r.from,
    to: r.to ?? '',
    status: r.status ?? 0,
    force: Boolean(r.force),
    conditional: Object.keys(r.conditions ?? {}).length > 0 || Boolean(r.signed),
    query: Object.keys(r.query ?? {}).length > 0,
  }))
  const answers = paths.map((path) => {
    let robots = ''
    for (const h of headers) {
      if (!h.forRegExp.test(path)) continue
      for (const [name, value] of Object.entries(h.values)) {
        if (name.toLowerCase() === 'x-robots-tag') robots = value
      }
    }
    return { robots }
  })
  return { rules, answers }
}

// cloudflareParsers returns the parsers of _redirects and _headers. They are part of the bundle of
// miniflare, a dependency of @cloudflare/pages-shared.
function cloudflareParsers() {
  const main = require.resolve('miniflare', { paths: [require.resolve('@cloudflare/pages-shared/package.json')] })
  const bundle = fs.readFileSync(main, 'utf8')
  const from = bundle.indexOf('// ../workers-shared/utils/configuration/constants.ts')
  const to = bundle.indexOf('// ../workers-shared/utils/configuration/constructConfiguration.ts')
  if (from < 0 || to < from) throw new Error('miniflare does not contain the parsers')
  return new Function(`${bundle.slice(from, to)}; return { parseRedirects, parseHeaders }`)()
}

export async function cloudflareMetadata(dir) {
  const { parseRedirects, parseHeaders } = cloudflareParsers()
  const { createMetadataObject } = await import('@cloudflare/pages-shared/dist/metadata-generator/createMetadataObject.js')
  const read = (name) => (fs.existsSync(`${dir}/public/${name}`) ? fs.readFileSync(`${dir}/public/${name}`, 'utf8') : '')
  return createMetadataObject({
    redirects: parseRedirects(read('_redirects')),
    headers: parseHeaders(read('_headers')),
  })
}

async function cloudflare({ base, dir, files, paths }) {
  const { generateHandler } = await import('@cloudflare/pages-shared/dist/asset-server/handler.js')
  const metadata = await cloudflareMetadata(dir)
  const answers = []
  for (const path of paths) {
    let served = ''
    const response = await generateHandler({
      request: new Request(new URL(encode(path), base)),
      metadata,
      logError: (err) => { throw err },
      findAssetEntryForPath: async (p) => (files.includes(p.slice(1)) ? p.slice(1) : null),
      getAssetKey: (entry) => entry,
      negotiateContent: () => ({ encoding: null }),
      fetchAsset: async (key) => { served = key; return { body: null, contentType: 'text/html' } },
    })
    answers.push({
      status: response.status,
      file: response.status === 200 ? served : '',
      location: response.headers.get('location') ?? '',
      robots: response.headers.get('x-robots-tag') ?? '',
    })
  }
  return { answers }
}

// vercel tries the routes that the package of Vercel derives from vercel.json, in order.
async function vercel({ base, dir, paths }) {
  const { getTransformedRoutes } = require('@vercel/routing-utils')
  const config = JSON.parse(fs.readFileSync(`${dir}/vercel.json`, 'utf8'))
  const { routes, error } = getTransformedRoutes(config)
  if (error) throw new Error(error.message)
  const host = new URL(base).host
  const matches = (c) => c.type === 'host' && new RegExp(`^(?:${c.value})$`).test(host)
  const answers = paths.map((path) => {
    const answer = { status: 0, location: '', robots: '' }
    for (const route of routes ?? []) {
      if (route.handle) break
      const m = new RegExp(route.src).exec(path)
      if (!m || (route.has ?? []).some((c) => !matches(c)) || (route.missing ?? []).some(matches)) continue
      const headers = Object.fromEntries(Object.entries(route.headers ?? {}).map(([k, v]) => [k.toLowerCase(), v]))
      if (route.continue) {
        answer.robots = headers['x-robots-tag'] ?? answer.robots
        continue
      }
      if (!route.status) continue
      answer.status = route.status
      answer.location = (headers.location ?? '').replace(/\$(\d)/g, (_, n) => m[n] ?? '')
      break
    }
    return answer
  })
  return { answers }
}

async function robots({ base, dir, paths }) {
  const url = new URL('/robots.txt', base).href
  const parsed = require('robots-parser')(url, fs.readFileSync(`${dir}/public/robots.txt`, 'utf8'))
  return { answers: paths.map((path) => ({ disallowed: parsed.isDisallowed(new URL(encode(path), base).href, '*') === true })) }
}

const hosts = { netlify, cloudflare, vercel, robots }
if (process.argv[1].endsWith('answer.mjs')) {
  const out = []
  for (const job of JSON.parse(fs.readFileSync(0, 'utf8'))) {
    out.push(await hosts[job.host](job))
  }
  process.stdout.write(JSON.stringify(out))
}
