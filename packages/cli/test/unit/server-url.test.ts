import { describe, expect, it } from 'vitest'
import { readServerUrl } from '../../dist/login/server-url.js'

describe('the URL of a server', () => {
  it.each([
    ['https://app.example', 'https://app.example'],
    ['https://APP.example/base/', 'https://app.example/base'],
    ['http://localhost:3000/', 'http://localhost:3000'],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
  ])('%s is accepted', (text, url) => {
    expect(readServerUrl(text, 'it')).toBe(url)
  })

  it.each([
    ['', 'must start with https:// or http://'],
    ['ftp://app.example', 'must start with https:// or http://'],
    ['localhost:3000', 'must start with https:// or http://'],
    ['http://app.example', 'must use https'],
    ['http://127.0.0.1.app.example', 'must use https'],
    ['http://localhost.app.example', 'must use https'],
    ['https://ada:secret@app.example', 'must not contain a user name or password'],
    ['https://:secret@app.example', 'must not contain a user name or password'],
    ['https://ada@app.example', 'must not contain a user name or password'],
    ['https://app.example?a=secret', 'must not have a query'],
    ['https://app.example#a', 'must not have a query or fragment'],
  ])('%s is refused and not quoted', (text, message) => {
    expect(() => readServerUrl(text, 'it')).toThrow(message)
    expect(() => readServerUrl(text, 'it')).not.toThrow('secret')
  })
})
