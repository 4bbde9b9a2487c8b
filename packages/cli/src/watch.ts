import { type FSWatcher, watch } from 'node:fs'

/** Changes come in bursts, one for each step an editor takes; one round answers a burst. */
const quietMs = 40

/**
 * Calls `work` at once and after every change in the folders it returned last, until the signal aborts. Each folder
 * is watched by itself, so that what lies in `node_modules` costs nothing.
 */
export function watchFolders(signal: AbortSignal, work: () => readonly string[]): Promise<void> {
  const watchers = new Map<string, FSWatcher>()
  let timer: NodeJS.Timeout | undefined
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void): void => {
      clearTimeout(timer)
      for (const watcher of watchers.values()) watcher.close()
      settle()
    }
    const round = (): void => {
      try {
        // What changed after the round read a folder and before it was watched would go unseen: look once more.
        if (follow(watchers, work(), later)) later()
      } catch (error) {
        finish(() => reject(error))
      }
    }
    const later = (): void => {
      clearTimeout(timer)
      timer = setTimeout(round, quietMs)
    }
    signal.addEventListener('abort', () => finish(resolve), { once: true })
    round()
  })
}

/** Watches these folders and no others. Returns whether one of them is new. */
function follow(watchers: Map<string, FSWatcher>, folders: readonly string[], onChange: () => void): boolean {
  let isNew = false
  for (const [folder, watcher] of watchers) {
    if (folders.includes(folder)) continue
    watcher.close()
    watchers.delete(folder)
  }
  for (const folder of folders) {
    if (watchers.has(folder)) continue
    const watcher = watch(folder, (_event, name) => {
      // What this command writes itself is no change.
      if (name === null || !/\.(ts|tmp)$/.test(name)) onChange()
    })
    // A folder that is removed ends its watcher; the next round no longer asks for it.
    watcher.on('error', onChange)
    watchers.set(folder, watcher)
    isNew = true
  }
  return isNew
}
