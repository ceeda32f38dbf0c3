import { toCsv } from '@scrim/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser } from './testing/browser.js'
import { type OpenedPage, openPage, people } from './testing/page.js'

/** From load to verdict without a mouse, and what somebody hears who does not see the page. */
const FOCUSED = `(() => {
  const one = document.activeElement
  const label = one.getAttribute('aria-label') ?? one.labels?.[0]?.innerText ?? one.textContent
  const group = one.closest('[role=group]')?.getAttribute('aria-label')
  return (group ? group + ': ' : '') + label.trim().replace(/\\s+/g, ' ')
})()`
const MOST_TABS = 60
/** Around the whole of a report and to its top again. */
const AROUND = 300

describe.skipIf(!hasBrowser)('the page by keyboard', () => {
  let at: OpenedPage
  beforeAll(async () => {
    at = await openPage()
    // Without somebody who listens all the time the second one would open a window of the system.
    at.page.on('filechooser', () => {})
  })
  afterAll(() => at?.close())

  /** Tabs on until what is focused is called so. */
  const reach = async (name: string, most = MOST_TABS) => {
    const passed: string[] = []
    for (let k = 0; k < most; k++) {
      await at.page.keyboard.press('Tab')
      const focused = String(await at.page.evaluate(FOCUSED))
      if (focused.startsWith(name)) return
      passed.push(focused)
    }
    throw new Error(`"${name}" was not reached, but ${passed.join(' | ')}`)
  }
  const enter = async (name: string, most?: number) => {
    await reach(name, most)
    await at.page.keyboard.press('Enter')
  }
  /** By the first letters of what is wanted. */
  const choose = async (name: string, option: string) => {
    await reach(name)
    await at.page.keyboard.type(option)
  }
  const pick = async (button: string, name: string, seed: number) => {
    await reach(button)
    const [chooser] = await Promise.all([at.page.waitForEvent('filechooser'), at.page.keyboard.press('Enter')])
    await chooser.setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(toCsv(people(seed, 80))) })
    await at.page.getByText(name).first().waitFor()
  }

  it('goes from files to the verdict', async () => {
    await pick('Choose a file for the original', 'o.csv', 1)
    await pick('Choose files for releases', 'copy.csv', 1)
    await enter('Next: roles')
    await choose('Role of age', 'key')
    await choose('Role of sex', 'key')
    await choose('Role of income', 'target')
    await enter('How the release was made: synthetic')
    await at.button('Next: run').and(at.page.locator(':enabled')).waitFor()
    await enter('Next: run')
    await reach('standard')
    await at.page.keyboard.press('ArrowUp')
    await enter('Run the measures')
    expect(await at.page.evaluate(FOCUSED)).toBe('Cancel')
    await at.page.locator('.report').waitFor()
    expect(await at.page.evaluate('document.activeElement.tagName')).toBe('MAIN')
    await enter('Leakage')
    await at.page
      .getByText(/as much as the original itself/)
      .first()
      .waitFor()
    await at.page.keyboard.press('Escape')
    await at.page
      .getByText(/as much as the original itself/)
      .first()
      .waitFor({ state: 'hidden' })
  })

  it('says what it is and what it found to whoever listens', async () => {
    expect(await at.page.getByRole('status').filter({ hasText: 'copy.csv: HIGH. Do not release it.' }).count()).toBe(1)
    const tree = await at.page.locator('body').ariaSnapshot()
    for (const part of [
      'link "Skip to the content"',
      'navigation "Steps"',
      'button "4 Read"',
      'checkbox "Internal',
      'heading "HIGH copy.csv" [level=2]',
      'slider "share needed (tau)',
      'contentinfo',
    ])
      expect(tree).toContain(part)
    // Nothing that can be pressed goes without a name.
    expect(tree).not.toMatch(/- (button|link|textbox|combobox|checkbox|slider|spinbutton)( \[|:|$)/m)
  })

  it('goes on to changes, and to outputs', async () => {
    await enter('5 Act', AROUND)
    await at.button('Estimate every option').waitFor()
    await reach('noise of 100')
    await at.page.keyboard.press('Space')
    await enter('Apply to a copy and assess')
    await at.page.getByRole('heading', { name: 'Before and after' }).waitFor()
    await enter('Undo the last run', AROUND)
    await enter('Outputs', AROUND)
    await at.page.getByRole('heading', { level: 1 }).waitFor()
    expect(await at.page.locator('[aria-current=step]').textContent()).toContain('Outputs')
    await reach('Choose')
  })
})
