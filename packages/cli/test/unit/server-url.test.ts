import { describe, expect, it } from 'vitest'
import { readServerUrl } from '../../dist/login/server-url.js'

describe('the address of a server', () => {
  it.each([
    ['https://app.example', 'https://app.example'],
    ['https://APP.example/base/', 'https://app.example/base'],
    ['http://localhost:3000/', 'http://localhost:3000'],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
  ])('%s is taken', (text, url) => {
    expect(readServerUrl(text, 'it')).toBe(url)
  })

  it.each([
    ['', 'must begin with https:// or http://'],
    ['ftp://app.example', 'must begin with https:// or http://'],
    ['localhost:3000', 'must begin with https:// or http://'],
    ['http://app.example', 'must be https'],
    ['http://127.0.0.1.app.example', 'must be https'],
    ['http://localhost.app.example', 'must be https'],
    ['https://ada:secret@app.example', 'must hold no user name or password'],
    ['https://:secret@app.example', 'must hold no user name or password'],
    ['https://ada@app.example', 'must hold no user name or password'],
    ['https://app.example?a=secret', 'must have no query'],
    ['https://app.example#a', 'must have no query and no fragment'],
  ])('%s is refused, and not repeated', (text, told) => {
    expect(() => readServerUrl(text, 'it')).toThrow(told)
    expect(() => readServerUrl(text, 'it')).not.toThrow('secret')
  })
})
