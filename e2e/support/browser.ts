import { access } from 'node:fs/promises';
import bundledChromium from '@sparticuz/chromium';
import { chromium, type Browser } from 'playwright-core';

const systemBrowsers = [
  '/usr/bin/google-chrome',
  '/usr/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Nothing is drawn by a graphics card, which most machines that test have not: the map by software, all else without. */
const args = ['--no-sandbox', '--disable-gpu', '--in-process-gpu'];

/** A Chromium of this machine where there is one, else the one that came with the packages. */
export async function launchBrowser(): Promise<Browser> {
  for (const executablePath of systemBrowsers) {
    const exists = await access(executablePath).then(
      () => true,
      () => false,
    );
    if (exists) return chromium.launch({ executablePath, args });
  }
  return chromium.launch({
    executablePath: await bundledChromium.executablePath(),
    args,
    // The packaged browser brings fonts of its own, none of them Chinese: this machine's are used in their place.
    env: { ...process.env, FONTCONFIG_PATH: '/etc/fonts' },
  });
}
