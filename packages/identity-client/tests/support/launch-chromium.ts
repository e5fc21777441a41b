import { access } from 'node:fs/promises';
import bundledChromium from '@sparticuz/chromium';
import { chromium, type Browser } from 'playwright-core';

const systemBrowsers = [
  '/usr/bin/google-chrome',
  '/usr/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Launches the installed Chromium if there is one, otherwise the packaged one. */
export async function launchChromium(flags: readonly string[] = []): Promise<Browser> {
  const args = ['--no-sandbox', ...flags];
  for (const executablePath of systemBrowsers) {
    const exists = await access(executablePath).then(
      () => true,
      () => false,
    );
    if (exists) return chromium.launch({ executablePath, args });
  }
  return chromium.launch({ executablePath: await bundledChromium.executablePath(), args });
}
