import type { DeviceFilterToken } from '@deviceportal/contract/devices';
import { countryWords } from '@deviceportal/contract/country-words';
import type { SearchAnswer, SearchSuggestion } from '@deviceportal/contract/search';
import { commandHref } from '../../commands/command-href.ts';
import type { Language } from '../../i18n/languages.ts';
import type { Translate } from '../../i18n/use-t.ts';
import { encodeFilter } from '../../ui/filter-codec.ts';
import { navigateTo } from '../../ui/navigate-to.ts';
import { wordOf } from '../../ui/status-of.tsx';
import type { PaletteItem } from './palette-item.ts';

export interface SuggestionWords {
  readonly t: Translate;
  readonly language: Language;
  /** The description of a command. */
  readonly describe: (command: string) => string;
}

/** What the text asks for: a command, a command on a device, or a filtered device list. */
export const suggestionItems = (
  words: SuggestionWords,
  answer: SearchAnswer | undefined,
): PaletteItem[] => (answer?.suggestions ?? []).map((suggestion) => toItem(words, suggestion));

function toItem(words: SuggestionWords, suggestion: SearchSuggestion): PaletteItem {
  const { t } = words;
  const linked = (href: string) => ({ href, act: () => navigateTo(href) });
  const section = t('app.palette.suggestions');
  switch (suggestion.kind) {
    case 'command': {
      const { command } = suggestion;
      return {
        ...{ id: `run:${command}`, section, label: t('app.palette.run', { command }) },
        detail: words.describe(command),
        ...linked(commandHref(command)),
      };
    }
    case 'run': {
      const { command, device } = suggestion;
      return {
        ...{ id: `run:${command}:${device.id}`, section },
        label: t('app.palette.runOn', { command, device: device.label }),
        detail: device.detail,
        state: device.state === null ? undefined : { kind: 'connectivity', value: device.state },
        ...linked(commandHref(command, { device: device.id })),
      };
    }
    case 'devices': {
      const { tokens, text, devices } = suggestion;
      const shown = [...tokens.flatMap((token) => wordsOf(words, token)), ...(text ? [text] : [])];
      const q = encodeFilter({
        operation: 'and',
        tokens: [...tokens, ...(text ? [{ operator: ':' as const, values: [text] }] : [])],
      });
      return {
        ...{ id: `set:${q}`, section },
        label: t('app.palette.devicesThatAre', { words: shown.join(' · ') }),
        detail: t(devices.isExact ? 'app.palette.runDevices' : 'app.palette.aboutDevices', {
          count: devices.count,
        }),
        ...linked(`/devices?q=${encodeURIComponent(q)}`),
      };
    }
  }
}

/** The values of a filter in the language of the user. */
function wordsOf({ t, language }: SuggestionWords, { key, values }: DeviceFilterToken): string[] {
  return values.map((value) => {
    switch (key) {
      case 'connectivity':
        return wordOf('connectivity', value, language);
      case 'lifecycle':
        return wordOf('deviceLifecycle', value, language);
      case 'finding':
        return t(`devices.finding.${value as 'any'}`);
      case 'country':
        return countryWords(value, language);
      case 'label':
      case 'software':
        return value.replace(':', ' ');
      default:
        return value;
    }
  });
}
