import type { Page } from 'playwright-core';

/** Errors in a page: uncaught errors, console errors, policy violations. */
export interface PageErrors {
  readonly messages: () => readonly string[];
  /** Expected console messages, such as the failed load of an unknown device. */
  readonly expect: (pattern: RegExp) => void;
  /** Clears the errors for the next test on the same page. */
  readonly forget: () => void;
}

export function watchErrors(page: Page): PageErrors {
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
    // Filtered at the end, because a page can log an error before its test expects it.
    messages: () => messages.filter((text) => !expected.some((pattern) => pattern.test(text))),
    expect: (pattern) => void expected.push(pattern),
    forget: () => {
      messages.length = 0;
      expected.length = 0;
    },
  };
}
