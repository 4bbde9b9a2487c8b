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

/** Collects garbage at once; the function is there only where it was asked for. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  setFlagsFromString('--no-expose-gc')
  collect()
}

/** A target that was looked at stays for the rest of its task, so each look takes one of its own. */
async function isCollected(reference: WeakRef<object>): Promise<boolean> {
  for (let look = 0; look < 20; look++) {
    await new Promise((resolve) => setImmediate(resolve))
    collectGarbage()
    if (reference.deref() === undefined) return true
  }
  return false
}

/** Identities that are looked up when a test says so, one after the other. */
class HeldIdentities extends MemoryFederatedIdentityStore {
  readonly waiting: (() => void)[] = []

  override async find(...args: Parameters<MemoryFederatedIdentityStore['find']>) {
    await new Promise<void>((resolve) => this.waiting.push(resolve))
    return super.find(...args)
  }

  /** Lets the one look-up under way go on, once it is there. */
  async release(): Promise<void> {
    while (this.waiting.length === 0) await new Promise((resolve) => setImmediate(resolve))
    this.waiting.shift()!()
  }
}

test('a login that ended leaves nothing behind in the service', async () => {
  const federated = new MemoryFederatedIdentityStore()
  const logins = new FederatedLoginService({ users: new MemoryUserService(), federated })
  const resolve = async () => new WeakRef<object>(await logins.resolveUser(profile))
  expect(await isCollected(await resolve())).toBe(true)
  const failing = async () => {
    federated.find = () => Promise.reject(new Error('no database'))
    return new WeakRef<object>(await logins.resolveUser(profile).catch((error: Error) => error))
  }
  expect(await isCollected(await failing())).toBe(true)
  // The service is still there, so that nothing was collected along with it.
  expect(logins.policy.allowSignup).toBe(true)
})

test('a login waits for the one before it though an earlier one has ended', async () => {
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
