// Opens as many idle connections as it is asked for, or as it can, says how many, and holds them until it is ended.
import { connect } from 'node:net'

const [, , port, wanted] = process.argv.map(Number)
const sockets = []
let failed = false
while (sockets.length < wanted && !failed) {
  const batch = Array.from({ length: Math.min(250, wanted - sockets.length) }, () => open())
  for (const socket of await Promise.all(batch)) {
    if (socket) sockets.push(socket)
    else failed = true
  }
}
console.log(sockets.length)

function open() {
  return new Promise((resolve) => {
    const socket = connect(Number(port), '127.0.0.1')
    socket.once('connect', () => resolve(socket))
    socket.on('error', () => resolve(undefined))
  })
}
