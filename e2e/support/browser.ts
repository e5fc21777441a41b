import { access } from 'node:fs/promises';
import bundledChromium from '@sparticuz/chromium';
import { chromium, type Browser } from 'playwright-core';

const systemBrowsers = [
  '/usr/bin/google-chrome',
  '/usr/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** No GPU, which most test machines do not have: the map is rendered in software. */
const args = ['--no-sandbox', '--disable-gpu', '--in-process-gpu'];

/** Launches the installed Chromium if there is one, otherwise the packaged one. */
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
    // The packaged browser includes no Chinese fonts, so the machine's fonts are used.
    env: { ...process.env, FONTCONFIG_PATH: '/etc/fonts' },
  });
}
