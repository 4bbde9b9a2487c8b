import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import {
  FederatedLoginService,
  MemoryFederatedIdentityStore,
  MemoryUserService,
  type NormalizedProfile,
} from '@portico/identity'
import { expect, test } from 'vitest'

const profile: NormalizedProfile = { provider: 'alpha', subject: '7', email: 'ada@x.example', raw: {} }

/** Collects garbage immediately. Node provides the function only on request. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  setFlagsFromString('--no-expose-gc')
  collect()
}

/** `deref` keeps its target alive for the rest of the task, so each check runs in its own task. */
async function isCollected(reference: WeakRef<object>): Promise<boolean> {
  for (let look = 0; look < 20; look++) {
    await new Promise((resolve) => setImmediate(resolve))
    collectGarbage()
    if (reference.deref() === undefined) return true
  }
  return false
}

/** Identities whose lookups wait until the test releases them, one by one. */
class HeldIdentities extends MemoryFederatedIdentityStore {
  readonly waiting: (() => void)[] = []

  override async find(...args: Parameters<MemoryFederatedIdentityStore['find']>) {
    await new Promise<void>((resolve) => this.waiting.push(resolve))
    return super.find(...args)
  }

  /** Releases the pending lookup, once there is one. */
  async release(): Promise<void> {
    while (this.waiting.length === 0) await new Promise((resolve) => setImmediate(resolve))
    this.waiting.shift()!()
  }
}

test('a finished login leaves nothing in the service', async () => {
  const federated = new MemoryFederatedIdentityStore()
  const logins = new FederatedLoginService({ users: new MemoryUserService(), federated })
  const resolve = async () => new WeakRef<object>(await logins.resolveUser(profile))
  expect(await isCollected(await resolve())).toBe(true)
  const failing = async () => {
    federated.find = () => Promise.reject(new Error('no database'))
    return new WeakRef<object>(await logins.resolveUser(profile).catch((error: Error) => error))
  }
  expect(await isCollected(await failing())).toBe(true)
  // The service is still alive, so it was not collected together with the login.
  expect(logins.policy.allowSignup).toBe(true)
})

test('a login waits for the one before it, even if an earlier one has ended', async () => {
  const federated = new HeldIdentities()
  const logins = new FederatedLoginService({ users: new MemoryUserService(), federated })
  const first = logins.resolveUser(profile)
  const second = logins.resolveUser(profile)
  await federated.release()
  await first
  const third = logins.resolveUser(profile)
  await new Promise((resolve) => setImmediate(resolve))
  expect(federated.waiting).toHaveLength(1)
  await federated.release()
  await second
  await federated.release()
  expect(await third).toMatchObject({ kind: 'linked' })
})
