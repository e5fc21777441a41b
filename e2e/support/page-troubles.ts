import type { Page } from 'playwright-core';

/** What went wrong in a page without anyone asking: uncaught errors, console errors, policy violations. */
export interface PageTroubles {
  readonly messages: () => readonly string[];
  /** Console messages that a journey provokes on purpose, such as the failed load of a device that is unknown. */
  readonly expect: (pattern: RegExp) => void;
  /** For the next test of a page that is used again. */
  readonly forget: () => void;
}

export function watchTroubles(page: Page): PageTroubles {
  const messages: string[] = [];
  const expected: RegExp[] = [];
  const note = (text: string): void => void messages.push(text);
  page.on('pageerror', (error) => note(`uncaught: ${error.stack ?? error.message}`));
  page.on('console', (message) => {
    const isWarning = /\[AwsUi\]|Content Security Policy|ReactDOM|validateDOMNesting/.test(
      message.text(),
    );
    if (message.type() === 'error' || isWarning)
      note(`${message.type()}: ${message.text()} (${page.url()})`);
  });
  return {
    // Sorted out at the end: a page may complain before its test comes to say what it expects.
    messages: () => messages.filter((text) => !expected.some((pattern) => pattern.test(text))),
    expect: (pattern) => void expected.push(pattern),
    forget: () => {
      messages.length = 0;
      expected.length = 0;
    },
  };
}
