// Firefox as people use it: what they press, fill in and see, by the words on the screen.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { type Browser, type ElementHandle, launch, type Page } from 'puppeteer-core';

const WITHIN_MS = 60_000;
/** Then what may have been missed is pressed again. */
const AGAIN_AFTER_MS = 5_000;
const POLL_MS = 50;

/** What can be pressed, and its name: what a screen reader would say, or the words in it. */
const PRESSED = 'a, button, [role=option], [role=combobox]';
const NAME_OF = `(one) => {
  const heard = one.cloneNode(true);
  for (const unheard of heard.querySelectorAll('[hidden], [aria-hidden=true]')) unheard.remove();
  return (one.getAttribute('aria-label') ?? heard.textContent).trim();
}`;

/** A tab in which somebody works. */
export class FirefoxTab {
  readonly #page: Page;
  readonly #downloads: string;

  constructor(page: Page, downloads: string) {
    this.#page = page;
    this.#downloads = downloads;
  }

  /** Waits for what `script`, an expression of the page's own language, finds. */
  async #find(script: string, timeout = WITHIN_MS): Promise<ElementHandle> {
    let found: ElementHandle | null = null;
    // Asked from here: what waits in the page is a function made of text, which the portal's policy refuses.
    await expect(async () => {
      found = (await this.#page.evaluateHandle(script)).asElement() as ElementHandle | null;
      expect(found, `something to press or fill in: ${script}`).not.toBeNull();
    }).toPass({ timeout, intervals: [POLL_MS] });
    return found as unknown as ElementHandle;
  }

  open(address: string) {
    return this.#page.goto(address);
  }

  /** Presses the link, button or option of this name; `inside` narrows it to the row or dialog that holds these words. */
  async press(name: string, inside = '', withinMs = WITHIN_MS) {
    const script = `[...document.querySelectorAll(${JSON.stringify(PRESSED)})].find((one) =>
      one.checkVisibility() && !one.matches(':disabled') && (${NAME_OF})(one) === ${JSON.stringify(name)} &&
      (one.closest('tr, [role=dialog]') ?? document.body).textContent.includes(${JSON.stringify(inside)}))`;
    const found = await this.#find(script, withinMs);
    try {
      await found.click();
    } catch (error) {
      // What was found has been drawn anew before it was pressed.
      if (!/detached/.test(String(error))) throw error;
      await (await this.#find(script, withinMs)).click();
    }
  }

  #field(label: string): Promise<ElementHandle> {
    // What stands behind an open dialog cannot be reached.
    return this.#find(`[...([...document.querySelectorAll('[role=dialog]')].filter((one) => one.checkVisibility()).at(-1) ??
      document).querySelectorAll('label')]
      .find((one) => one.checkVisibility() && one.textContent.startsWith(${JSON.stringify(label)}))?.control`);
  }

  async fill(label: string, text: string) {
    await (await this.#field(label)).type(text);
  }

  /** Opens the list of a field and takes one of its entries. A dialog that has just opened may move the focus and close the list again. */
  async choose(label: string, option: string) {
    const field = await this.#field(label);
    await expect(async () => {
      await field.click();
      await this.press(option, '', AGAIN_AFTER_MS);
    }).toPass({ timeout: WITHIN_MS });
  }

  async attach(path: string) {
    // What the button opens is the system's own window, which no test can press.
    const input = await this.#find(`document.querySelector('[role=dialog] input[type=file]')`);
    await (input as ElementHandle<never>).uploadFile(path);
  }

  async see(text: string) {
    const isSeen = () => this.#page.evaluate(`document.body.innerText.includes(${JSON.stringify(text)})`);
    await expect.poll(isSeen, { message: `${text} is seen`, timeout: WITHIN_MS, intervals: [POLL_MS] }).toBe(true);
  }

  /** Waits for a drawn page, and answers in px how far the page, or a pane in it, scrolls sideways: 0 where all fits. */
  async widthsBeyond(): Promise<number> {
    await this.#find('document.querySelector("canvas")');
    return (await this.#page.evaluate(`Math.max(...[...document.querySelectorAll('html, main *')]
      .filter((one) => /auto|scroll/.test(getComputedStyle(one).overflowX) || one === document.documentElement)
      .map((one) => one.scrollWidth - one.clientWidth))`)) as number;
  }

  text(): Promise<string> {
    return this.#page.evaluate('document.body.innerText') as Promise<string>;
  }

  /** The bytes of a download of this name: Firefox renames what is saved to it once that is whole, and until then keeps it empty. */
  async downloaded(name: string): Promise<Buffer> {
    const path = join(this.#downloads, name);
    const size = () => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    await expect.poll(size, { message: `${name} is saved`, timeout: WITHIN_MS }).toBeGreaterThan(0);
    return readFile(path);
  }
}

export class Firefox {
  readonly #browser: Browser;
  readonly #downloads: string;

  private constructor(browser: Browser, downloads: string) {
    this.#browser = browser;
    this.#downloads = downloads;
  }

  static async start(path: string): Promise<Firefox> {
    const downloads = mkdtempSync(join(tmpdir(), 'coffer-firefox-'));
    const browser = await launch({
      browser: 'firefox',
      executablePath: path,
      headless: true,
      // Its window has the size: older releases know no command for all that a set viewport tells.
      defaultViewport: null,
      env: { ...process.env, MOZ_HEADLESS_WIDTH: '1440', MOZ_HEADLESS_HEIGHT: '900' },
      extraPrefsFirefox: {
        'browser.download.dir': downloads,
        'browser.download.folderList': 2,
        'browser.download.useDownloadDir': true,
        'browser.download.always_ask_before_handling_new_types': false,
      },
    });
    return new Firefox(browser, downloads);
  }

  /** Files to be uploaded may lie here. */
  get folder(): string {
    return this.#downloads;
  }

  /** A tab in a profile of its own; `onFault` hears of every error of the page's scripts. */
  async openTab(onFault: (fault: string) => void): Promise<FirefoxTab> {
    const context = await this.#browser.createBrowserContext();
    const page = await context.newPage();
    page.on('pageerror', (fault) => onFault(String(fault)));
    page.on('console', (message) => {
      if (message.type() === 'error') onFault(message.text());
    });
    return new FirefoxTab(page, this.#downloads);
  }

  async close(): Promise<void> {
    await this.#browser.close();
    rmSync(this.#downloads, { recursive: true, force: true });
  }
}
