import { expect, it } from 'vitest'
import { findConfigFolder, type UserEnvironment } from '../../dist/login/config-folder.js'

const places: [name: string, place: UserEnvironment, folder: string][] = [
  ['Linux', { env: {}, platform: 'linux', home: '/h' }, '/h/.config/portico'],
  ['macOS', { env: {}, platform: 'darwin', home: '/h' }, '/h/Library/Application Support/portico'],
  ['Windows', { env: { APPDATA: 'C:\\A' }, platform: 'win32', home: 'C:\\h' }, 'C:\\A\\portico'],
  ['Windows without APPDATA', { env: {}, platform: 'win32', home: 'C:\\h' }, 'C:\\h\\AppData\\Roaming\\portico'],
  ['XDG_CONFIG_HOME', { env: { XDG_CONFIG_HOME: '/x' }, platform: 'linux', home: '/h' }, '/x/portico'],
  [
    'a relative XDG_CONFIG_HOME',
    { env: { XDG_CONFIG_HOME: 'x' }, platform: 'linux', home: '/h' },
    '/h/.config/portico',
  ],
]

it.each(places)('the configuration folder follows the conventions of %s', (_, place, folder) => {
  expect(findConfigFolder(place)).toBe(folder)
})

it.each(['linux', 'darwin', 'win32'] as const)('fails on %s without a home folder', (platform) => {
  expect(() => findConfigFolder({ env: {}, platform, home: '' })).toThrow('set HOME or XDG_CONFIG_HOME')
})
