import { unbroken } from '@scrim/report'
import { options } from 'preact'

/** Everywhere on the page signs stay with their numbers, whoever made the sentence. Called before anything is shown. */
export function keepNumbersWhole(): void {
  const before = options.vnode
  options.vnode = (vnode) => {
    const { children } = vnode.props
    if (typeof children === 'string') vnode.props.children = unbroken(children)
    else if (Array.isArray(children)) vnode.props.children = children.map(whole)
    before?.(vnode)
  }
}

function whole<Child>(child: Child): Child | string {
  return typeof child === 'string' ? unbroken(child) : child
}
