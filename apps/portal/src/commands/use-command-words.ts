import { useMemo } from 'react';
import type { CommandDefinition } from '@deviceportal/contract/commands';
import type { Consequence } from '@deviceportal/contract/permissions';
import { useLanguage } from '../i18n/language-store.ts';
import { useT } from '../i18n/use-t.ts';
import type { CommandGroup } from './catalog/command-groups.ts';

/** Built-in commands, which have translations. */
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
  'agent/update',
  'restart/device',
  'factory-reset',
  'shell',
  'document',
]);

const BUILTIN = 'DevicePortal-';
const translatedDocuments = new Set([...translated].map((command) => command.replace('/', '-')));

export interface CommandWords {
  readonly description: (command: Pick<CommandDefinition, 'command' | 'description'>) => string;
  /** The description of a document, translated for built-in documents. */
  readonly document: (document: { readonly name: string; readonly description: string }) => string;
  readonly group: (group: CommandGroup | 'favorites') => string;
  readonly consequence: (consequence: Consequence) => string;
}

/**
 * Texts of the command catalog in the current language. Entries without a translation keep their
 * own text.
 */
export function useCommandWords(): CommandWords {
  const t = useT();
  const language = useLanguage();
  return useMemo(
    () => ({
      description: ({ command, description }) => {
        const key = `commands.about.${command.replace('/', '-') as 'shell'}` as const;
        const words = translated.has(command) ? t(key) : key;
        // The device list starts without the texts of this area.
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
