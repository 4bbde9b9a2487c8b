import { mongo } from '@portico/db/mongo'
import { mysql } from '@portico/db/mysql'
import { postgres } from '@portico/db/postgres'
import { sqlite } from '@portico/db/sqlite'

/** The adapter for an address, or for a file. @param {string} place */
export function adapterOf(place) {
  if (place.startsWith('postgres:')) return postgres({ url: place })
  if (place.startsWith('mysql:')) return mysql({ url: place })
  if (place.startsWith('mongodb:')) return mongo({ url: place, leaseMs: 2000 })
  return sqlite({ file: place, busyTimeoutMs: 60_000 })
}
