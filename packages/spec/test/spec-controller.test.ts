import { gunzipSync } from 'node:zlib'
import { type App, Controller, createApp, Get } from '@portico/http'
import { createSpec, SpecController, type SpecControllerOptions, specController } from '@portico/spec'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

@Controller('/things')
class Things {
  @Get()
  list(): string[] {
    return []
  }
}

const description = { title: 'Things', version: '2.0.0' }

function open(options: SpecControllerOptions = description): App {
  return createApp().register(Things, specController(options))
}

describe('specController', () => {
  it('serves the description of the whole app, later controllers included, without its own routes', async () => {
    const app = createApp().register(specController(description), Things)
    const json = await app.inject('/api-docs/spec.json')
    expect(json.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(json.json()).toEqual(createSpec([Things], description))
    expect(Object.keys(json.json().paths)).toEqual(['/things'])
    const yaml = await app.inject('/api-docs/spec.yaml')
    expect(yaml.headers['content-type']).toBe('application/yaml; charset=utf-8')
    expect(parse(yaml.body)).toEqual(json.json())
    await app.close()
  })

  it('is the same function as SpecController', () => {
    expect(SpecController).toBe(specController)
  })

  it.each(['path', 'route'])('takes its path as `%s`', async (option) => {
    const app = open({ ...description, [option]: '/docs' })
    expect((await app.inject('/docs/spec.json')).statusCode).toBe(200)
    expect((await app.inject('/api-docs')).statusCode).toBe(404)
    await app.close()
  })

  it.each(['guard', 'guards'])(
    'takes one guard or a list as `%s`, which runs before every route of it',
    async (option) => {
      for (const guards of [() => false, [() => true, () => false]]) {
        const app = open({ ...description, [option]: guards })
        for (const url of ['/api-docs', '/api-docs/spec.json', '/api-docs/spec.yaml', '/api-docs/assets/docs.js']) {
          expect((await app.inject(url)).statusCode, url).toBe(403)
        }
        expect((await app.inject('/things')).statusCode).toBe(200)
        await app.close()
      }
    },
  )

  it.each<[object, string]>([
    [{ path: '/a', route: '/b' }, '`path` and `route` are the same option, but their values differ'],
    [{ guard: () => true, guards: [() => true] }, '`guard` and `guards` are the same option, but their values differ'],
    [{ guard: undefined }, '`guard` must be a function or a list of functions, got undefined'],
    [{ guards: [] }, '`guards` must be a function or a list of functions, got an array'],
    [{ guards: [undefined] }, '`guards` must be a function or a list of functions, got an array'],
  ])('refuses %j', (options, message) => {
    const error = { name: 'SpecError', code: 'OPTIONS_INVALID', message: `specController: ${message}` }
    expect(() => specController(options)).toThrow(expect.objectContaining(error))
  })

  it('passes its options to createSpec, unless that has its own', () => {
    const { routes } = open()
    expect(createSpec(routes).info).toEqual(description)
    expect(createSpec(routes, { title: 'Mine' }).info).toEqual({ title: 'Mine', version: '1.0.0' })
    expect(Object.keys(createSpec([Things, specController()]).paths)).toEqual(['/things'])
  })

  it('creates the description once: the ETag stays the same, compressed or not', async () => {
    const app = open()
    const first = await app.inject('/api-docs/spec.json')
    const packed = await app.inject({ url: '/api-docs/spec.json', headers: { 'accept-encoding': 'br, gzip' } })
    expect(packed.headers).toMatchObject({
      'content-encoding': 'gzip',
      etag: first.headers.etag,
      vary: 'accept-encoding',
    })
    expect(gunzipSync(packed.rawPayload).toString()).toBe(first.body)
    expect(first.headers).toMatchObject({ 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' })
    const etag = String(first.headers.etag)
    const again = await app.inject({ url: '/api-docs/spec.json', headers: { 'if-none-match': etag } })
    expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag])
    for (const known of ['*', `"other", ${etag}`, etag.replace('W/', '')]) {
      const answer = await app.inject({ url: '/api-docs/spec.json', headers: { 'if-none-match': known } })
      expect(answer.statusCode, known).toBe(304)
    }
    const refused = await app.inject({ url: '/api-docs/spec.json', headers: { 'accept-encoding': 'gzip;q=0' } })
    expect(refused.headers).not.toHaveProperty('content-encoding')
    await app.close()
  })

  it('the description of another app has another ETag', async () => {
    const [one, other] = [open(), open({ title: 'Other' })]
    const tags = await Promise.all(
      [one, other].map(async (it) => (await it.inject('/api-docs/spec.json')).headers.etag),
    )
    expect(tags[0]).not.toBe(tags[1])
    await Promise.all([one.close(), other.close()])
  })

  it('a mistake in the description keeps the app from starting', async () => {
    @Controller()
    class Twice {
      @Get('/a-b')
      one(): void {}
      @Get('/a_b')
      two(): void {}
    }
    const app = createApp().register(Twice, specController())
    await expect(app.listen()).rejects.toThrow(
      'GET /a-b (Twice.one) and GET /a_b (Twice.two) have the same operation id',
    )
    await app.close()
  })

  it('the page is sent with a strict policy, which names other servers only where the description does', async () => {
    const app = open()
    const { headers } = await app.inject('/api-docs')
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
    await app.close()
    const oauth = {
      type: 'oauth2',
      flows: {
        authorizationCode: { authorizationUrl: 'https://a.test/go', tokenUrl: 'https://auth.test/token', scopes: {} },
      },
    } as const
    const other = open({ servers: [{ url: 'https://api.test/v1' }, { url: '/local' }], securitySchemes: { oauth } })
    const { 'content-security-policy': policy } = (await other.inject('/api-docs')).headers
    expect(policy).toContain("default-src 'self'; ")
    expect(policy).toContain("connect-src 'self' https://api.test https://auth.test")
    const servers = [
      {
        url: 'https://{region}.api.test:{port}/v1',
        variables: { region: { default: 'eu', enum: ['eu', 'us'] }, port: { default: '8443' } },
      },
      ...['data:x', '/v1', 'https://a;script-src', 'https://b,c'].map((url) => ({ url })),
    ]
    const several = open({ servers })
    expect((await several.inject('/api-docs')).headers['content-security-policy']).toMatch(
      /; connect-src 'self' https:\/\/eu\.api\.test:8443 https:\/\/us\.api\.test:8443$/,
    )
    await several.close()
    await other.close()
  })

  it('a title is escaped in the page', async () => {
    const app = open({ title: `</title><script>alert("1")</script>'&` })
    const { body } = await app.inject('/api-docs')
    expect(body).not.toContain('<script>alert')
    expect(body).toContain(
      '<title>&#60;/title&#62;&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62;&#39;&#38;</title>',
    )
    await app.close()
  })

  it('the page finds its files with and without a slash at the end', async () => {
    const app = open()
    expect((await app.inject('/api-docs')).body).toContain('src="./api-docs/assets/docs.js"')
    expect((await app.inject('/api-docs/?a=1')).body).toContain('src="./assets/docs.js"')
    await app.close()
  })

  it.each([
    ['docs.css', 'text/css; charset=utf-8', 'html.dark-mode'],
    ['docs.js', 'text/javascript; charset=utf-8', 'sessionStorage'],
    ['icon.svg', 'image/svg+xml', '<svg'],
    ['oauth2-redirect.html', 'text/html; charset=utf-8', 'oauth2-redirect.js'],
    ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8', 'SwaggerUIBundle'],
    ['swagger-ui.css', 'text/css; charset=utf-8', '.swagger-ui'],
  ])('serves %s', async (name, type, content) => {
    const app = open()
    const answer = await app.inject(`/api-docs/assets/${name}`)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe(type)
    expect(answer.body).toContain(content)
    expect(answer.body).not.toContain('sourceMappingURL')
    expect(answer.headers['content-security-policy']).toBe("default-src 'self'")
    await app.close()
  })

  it('Swagger UI brings no pictures inside its style sheet, and those it names are there', async () => {
    const app = open()
    const { body } = await app.inject('/api-docs/assets/swagger-ui.css')
    expect(body).not.toContain('data:image')
    const pictures = [...new Set([...body.matchAll(/url\((picture-[^)]+)\)/g)].map(([, name]) => name!))]
    expect(pictures.length).toBeGreaterThan(5)
    for (const name of pictures) {
      const picture = await app.inject(`/api-docs/assets/${name}`)
      expect([picture.statusCode, picture.headers['content-type']]).toEqual([200, expect.stringMatching(/^image\//)])
    }
    await app.close()
  })

  it.each(['nothing.js', '..%2f..%2findex.js', 'swagger-ui.LICENSE.txt', 'docs.js.gz', 'toString', '%00'])(
    'serves nothing else: %s',
    async (name) => {
      const app = open()
      const answer = await app.inject(`/api-docs/assets/${name}`)
      expect([answer.statusCode, answer.json().code]).toEqual([404, 'NOT_FOUND'])
      await app.close()
    },
  )

  it('can be at another path, twice in one app, and without a page', async () => {
    const app = createApp().register(
      Things,
      specController({ path: '/docs/new' }),
      specController({ path: '/docs/old', openapi: '3.0', ui: false }),
    )
    expect((await app.inject('/docs/new')).body).toContain('src="./new/assets/docs.js"')
    expect((await app.inject('/docs/new/spec.json')).json().openapi).toBe('3.1.0')
    expect((await app.inject('/docs/old/spec.json')).json().openapi).toBe('3.0.3')
    expect((await app.inject('/docs/old')).statusCode).toBe(404)
    expect((await app.inject('/docs/old/assets/docs.js')).statusCode).toBe(404)
    await app.close()
  })
})

describe('the options of the docs page', () => {
  const flow = { authorizationUrl: '/auth/authorize', tokenUrl: '/auth/token', scopes: { tasks: 'Tasks' } }
  const withCode = { oauth: { type: 'oauth2', flows: { authorizationCode: flow } } } as const
  const withoutCode = { oauth: { type: 'oauth2', flows: { clientCredentials: flow } } } as const

  it.each([
    [{ oauth: { clientId: 'docs', scopes: ['tasks'] } }, withoutCode, 'needs a scheme of type oauth2'],
    [
      { oauth: { clientId: 'docs' } },
      { bearer: { type: 'http', scheme: 'bearer' } as const },
      'needs a scheme of type oauth2',
    ],
    [{ oauth: { clientId: 'docs' } }, undefined, 'needs a scheme of type oauth2'],
    [{ oauth: { clientId: '' } }, withCode, '`ui.oauth.clientId` must be a non-empty string, got an empty string'],
    [{ oauth: {} }, withCode, '`ui.oauth.clientId` is required'],
    [
      { oauth: { clientId: 'docs', scopes: 'tasks' } },
      withCode,
      '`ui.oauth.scopes` must be a list of non-empty strings',
    ],
    [{ oauth: { clientId: 'docs', scopes: ['task'] } }, withCode, 'has `task`, which the flow does not offer'],
    [{ oauth: { clientId: 'docs', clientSecret: 's3cret' } }, withCode, 'must not have a clientSecret'],
    [
      { oauth: { clientID: 'docs' } },
      withCode,
      'unknown option `ui.oauth.clientID`; did you mean `ui.oauth.clientId`?',
    ],
    [{ oauth: null }, withCode, '`ui.oauth` must be an object, got null'],
    [{ oAuth: {} }, withCode, 'unknown option `ui.oAuth`'],
    [true, withCode, '`ui` must be an object, got true'],
    [{ home: { label: 'App' } }, undefined, '`ui.home.href` is required'],
    [{ home: { label: 'App', href: 'javascript:alert(1)' } }, undefined, '`ui.home.href` must be an http address'],
    [{ home: { label: 'App', href: '//evil.test' } }, undefined, '`ui.home.href` must be an http address'],
    [{ home: { label: 'App', href: '/', logo: 'https://cdn.test/a.png' } }, undefined, '`ui.home.logo` must be a path'],
    [{ home: { label: 'App', href: '/', logo: 'data:text/html,x' } }, undefined, '`ui.home.logo` must be a path'],
    [{ light: { accent: 'red;}' } }, undefined, '`ui.light.accent` must be a color'],
    [{ dark: { acent: '#fff' } }, undefined, 'unknown option `ui.dark.acent`; did you mean `ui.dark.accent`?'],
    [{ font: 'Inter; } body { color: red' }, undefined, '`ui.font` must be font families'],
  ])('%j are refused at once', (ui, securitySchemes, message) => {
    const error = { name: 'SpecError', code: 'OPTIONS_INVALID', message: expect.stringContaining(message) }
    const options = { ui: ui as never, ...(securitySchemes && { securitySchemes }) }
    expect(() => specController(options)).toThrow(expect.objectContaining(error))
    expect(() => specController(options)).not.toThrow('s3cret')
  })

  it('that are unknown are refused at once', () => {
    const error = { code: 'OPTIONS_INVALID', message: 'specController: unknown option `titel`; did you mean `title`?' }
    expect(() => specController({ titel: 'Tracker' } as never)).toThrow(expect.objectContaining(error))
  })

  it('show the app in a header, in its own colors and font', async () => {
    const ui = {
      home: { label: 'Tasks & <more>', href: '/', logo: 'data:image/svg+xml,%3Csvg/%3E' },
      font: 'Inter, sans-serif',
      light: { accent: '#2952cc' },
      dark: { accent: '#8fadff', page: '#000' },
    }
    const app = createApp().register(specController({ ui }))
    const page = await app.inject('/api-docs')
    expect(page.body).toContain(
      '<a href="/"><img src="data:image/svg+xml,%3Csvg/%3E" alt="" width="24" height="24">Tasks &#38; &#60;more&#62;</a>',
    )
    expect(page.headers['content-security-policy']).toContain("; img-src 'self' data:")
    const theme = await app.inject('/api-docs/assets/theme.css')
    expect(theme.headers['content-type']).toBe('text/css; charset=utf-8')
    expect(theme.body).toBe(
      ':root {\n  --font: Inter, sans-serif;\n}\nhtml:root:not(.dark-mode) {\n  --accent: #2952cc;\n}\n' +
        'html:root.dark-mode {\n  --accent: #8fadff;\n  --page: #000;\n}\n',
    )
    await app.close()
  })

  it('are accepted where they make sense', () => {
    const ui = { oauth: { clientId: 'docs', scopes: ['tasks'] } }
    for (const options of [{ ui, securitySchemes: withCode }, { ui: {} }, { ui: false as const }, {}])
      expect(specController(options).kind).toBe('routes')
  })
})
