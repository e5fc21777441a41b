import Icon, { type IconProps } from '@cloudscape-design/components/icon';
import type { ReactNode } from 'react';
import type { CaseEntry, CaseEntryKind } from '@deviceportal/contract/cases';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { PortalLink } from '../ui/portal-link.tsx';
import { CaseCommand } from './case-command.tsx';
import { entryHref } from './entry-href.ts';
import { entryText, entryWords } from './entry-words.ts';

const icons: Readonly<Record<CaseEntryKind, IconProps.Name>> = {
  opened: 'folder-open',
  joined: 'group-active',
  updated: 'edit',
  assigned: 'user-profile-active',
  note: 'contact',
  'device-viewed': 'view-full',
  'person-viewed': 'user-profile',
  'location-viewed': 'map',
  'result-viewed': 'file',
  'document-viewed': 'file',
  command: 'script',
  act: 'settings',
  closed: 'check',
  reopened: 'undo',
};

export interface CaseEntryItemProps {
  readonly entry: CaseEntry;
  /** The person of the case. */
  readonly personId: string;
}

/**
 * One entry: time, user, and action. A command shows its status, a note its text. Views are less
 * prominent than actions.
 */
export function CaseEntryItem({ entry, personId }: CaseEntryItemProps): ReactNode {
  const t = useT();
  const format = useFormat();
  const isLook = entry.kind.endsWith('-viewed');
  const text = entryText(entry);
  const lastedMs = entry.until === null ? 0 : Date.parse(entry.until) - Date.parse(entry.at);
  return (
    <li className={isLook ? 'dp-case-entry dp-case-look' : 'dp-case-entry'}>
      <time dateTime={entry.at} title={format.absolute(Date.parse(entry.at))} className="dp-time">
        {format.clock(Date.parse(entry.at))}
      </time>
      <Icon name={icons[entry.kind]} size="small" />
      <div className="dp-case-what">
        <div>
          {entryWords(entry, personId, t)} <EntryLink entry={entry} />
          {lastedMs > 0 ? ` · ${format.duration(lastedMs)}` : null}
        </div>
        {entry.kind === 'command' ? <CaseCommand entry={entry} /> : null}
        {text === '' ? null : <div className="dp-note">{text}</div>}
      </div>
    </li>
  );
}

function EntryLink({ entry }: { readonly entry: CaseEntry }): ReactNode {
  const t = useT();
  const { href, words } = entryHref(entry, t);
  return href === null ? words : <PortalLink href={href}>{words}</PortalLink>;
}
