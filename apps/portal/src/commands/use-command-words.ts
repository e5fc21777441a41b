import { useMemo } from 'react';
import type { CommandDefinition } from '@deviceportal/contract/commands';
import type { Consequence } from '@deviceportal/contract/permissions';
import { useLanguage } from '../i18n/language-store.ts';
import { useT } from '../i18n/use-t.ts';
import type { CommandGroup } from './catalog/command-groups.ts';

/** Catalog entries that come with the product and so have words in every language. */
const translated = new Set([
  'logs/tail',
  'logs/collect',
  'network/diagnose',
  'network/ping',
  'network/dns',
  'storage/usage',
  'storage/clean',
  'process/top',
  'process/kill',
  'service/status',
  'software/inventory',
  'software/install',
  'software/rollback',
  'config/show',
  'config/set',
  'locate',
  'restart/service',
  'restart/agent',
  'restart/device',
  'factory-reset',
  'shell',
  'document',
]);

const BUILTIN = 'DevicePortal-';
const translatedDocuments = new Set([...translated].map((command) => command.replace('/', '-')));

export interface CommandWords {
  readonly description: (command: Pick<CommandDefinition, 'command' | 'description'>) => string;
  /** A document's own description; of those that come with the product, in the current language. */
  readonly document: (document: { readonly name: string; readonly description: string }) => string;
  readonly group: (group: CommandGroup | 'favorites') => string;
  readonly consequence: (consequence: Consequence) => string;
}

/** The words of the catalog in the current language; an entry without translation keeps its own. */
export function useCommandWords(): CommandWords {
  const t = useT();
  const language = useLanguage();
  return useMemo(
    () => ({
      description: ({ command, description }) => {
        const key = `commands.about.${command.replace('/', '-') as 'shell'}` as const;
        const words = translated.has(command) ? t(key) : key;
        // The list of devices starts without this catalog's words.
        return words === key ? description : words;
      },
      document: ({ name, description }) => {
        const own = name.startsWith(BUILTIN) ? name.slice(BUILTIN.length) : '';
        if (language === 'en' || !translatedDocuments.has(own)) return description;
        return t(`commands.about.${own as 'shell'}`);
      },
      group: (group) => t(`commands.group.${group}`),
      consequence: (consequence) => t(`commands.consequence.${consequence}`),
    }),
    [t, language],
  );
}
