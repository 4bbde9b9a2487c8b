import type { Span } from '../source.ts'

export interface Edge<N> {
  readonly to: N
  /** The place in the text that makes the connection. */
  readonly span: Span
}

export interface Graph<N> {
  edges(node: N): readonly Edge<N>[]
  /** Called with the nodes from the repeated one to the last, and the edge that closes the circle. */
  onCycle(path: readonly N[], edge: Edge<N>): void
  /** Called once for each node, after everything it leads to. */
  leave(node: N): void
}

/** Walks everything that the roots lead to, depth first, on a stack of its own: no input exhausts the call stack. */
export function walk<N extends object>(roots: Iterable<N>, graph: Graph<N>): void {
  const state = new Map<N, 'open' | 'done'>()
  for (const root of roots) if (!state.has(root)) walkFrom(root, graph, state)
}

function walkFrom<N extends object>(root: N, graph: Graph<N>, state: Map<N, 'open' | 'done'>): void {
  const stack: { node: N; edges: readonly Edge<N>[]; next: number }[] = []
  const open = (node: N): void => {
    state.set(node, 'open')
    stack.push({ node, edges: graph.edges(node), next: 0 })
  }
  open(root)
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const edge = top.edges[top.next++]
    if (!edge) {
      state.set(top.node, 'done')
      stack.pop()
      graph.leave(top.node)
    } else if (!state.has(edge.to)) open(edge.to)
    else if (state.get(edge.to) === 'open') {
      const nodes = stack.map((it) => it.node)
      graph.onCycle(nodes.slice(nodes.indexOf(edge.to)), edge)
    }
  }
}
