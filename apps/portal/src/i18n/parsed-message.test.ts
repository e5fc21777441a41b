import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parse } from '@formatjs/icu-messageformat-parser';
import { IntlMessageFormat } from 'intl-messageformat';
import { describe, expect, it } from 'vitest';
import { IntlMessageFormat as ParsedMessage, type MessageElement } from './parsed-message.ts';

const require = createRequire(import.meta.url);
const source = join(import.meta.dirname, '..');
const languages = ['en', 'zh-CN'] as const;
/** Counts that differ in plural forms and in digit grouping. */
const COUNTS = [0, 1, 2, 5, 12_345];

type Message = readonly MessageElement[];
type Components = Readonly<Record<string, Readonly<Record<string, Message>>>>;

function messagesOfPortal(language: string): Message[] {
  return globSync(`**/messages/${language}.json`, { cwd: source })
    .map((path) => JSON.parse(readFileSync(join(source, path), 'utf8')) as Record<string, string>)
    .flatMap((catalog) => Object.values(catalog))
    .map((text) => parse(text, { ignoreTag: true }) as Message);
}

function messagesOfCloudscape(language: string): Message[] {
  const file = require.resolve(`@cloudscape-design/components/i18n/messages/all.${language}.json`);
  const catalog = JSON.parse(readFileSync(file, 'utf8')) as Record<
    string,
    Record<string, Components>
  >;
  return Object.values(catalog)
    .flatMap((one) => Object.values(one))
    .flatMap((components) => Object.values(components))
    .flatMap((messages) => Object.values(messages));
}

const withoutArguments = (message: Message): boolean => namesIn(message).length === 0;

function namesIn(message: Message): { name: string; element: MessageElement }[] {
  return message.flatMap((element) => {
    const { type, value, options = {}, children = [] } = element;
    const own = type === 0 || value === undefined ? [] : [{ name: value, element }];
    const inner = Object.values(options).flatMap((option) => namesIn(option.value));
    return [...own, ...inner, ...namesIn(children)];
  });
}

/** Values for all arguments, which take each option of each selection in turn. */
function* valuesFor(message: Message): Generator<Record<string, unknown>> {
  const names = namesIn(message);
  const most = Math.max(COUNTS.length, ...names.map(({ element }) => optionsOf(element).length));
  for (let turn = 0; turn < most; turn += 1) {
    yield Object.fromEntries(
      names
        // The last one wins: an argument is a text where it is only shown.
        .toSorted((one, other) => one.element.type - other.element.type)
        .map(({ name, element }) => [name, valueFor(element, turn)]),
    );
  }
}

const optionsOf = ({ options = {} }: MessageElement): string[] => Object.keys(options);

function valueFor(element: MessageElement, turn: number): unknown {
  const { type } = element;
  const options = optionsOf(element);
  if (type === 8) return (parts: string[]) => `<${parts.join('')}>`;
  if (type === 5) return options[turn % options.length];
  if (type === 6 || type === 2) return COUNTS[turn % COUNTS.length];
  return `text ${turn}`;
}

describe.each(languages)('messages in %s', (language) => {
  it.each([
    ['the portal', messagesOfPortal(language)],
    ['Cloudscape', messagesOfCloudscape(language)],
  ])('of %s are formatted as by the library', (_owner, messages) => {
    expect(messages.length).toBeGreaterThan(400);
    for (const message of messages) {
      const rounds = withoutArguments(message) ? [{}] : [...valuesFor(message)];
      const library = new IntlMessageFormat(message as never, language);
      const own = new ParsedMessage(message, language);
      for (const values of rounds)
        expect(own.format(values), JSON.stringify(message)).toEqual(
          library.format(values as never),
        );
    }
  });
});

it('a message without a value for an argument fails', () => {
  const message = parse('{name} is offline', { ignoreTag: true }) as Message;
  expect(() => new ParsedMessage(message, 'en').format({})).toThrow('name');
});
