import type { CaseEntry } from '@deviceportal/contract/cases';
import type { Translate } from '../i18n/use-t.ts';

export interface EntryLinkWords {
  readonly href: string | null;
  readonly words: string;
}

/** The link of an entry, with its text. */
export function entryHref(entry: CaseEntry, t: Translate): EntryLinkWords {
  const { kind, deviceId, reference, data } = entry;
  if (deviceId !== null) {
    const words = entry.serialNumber ?? entry.deviceName ?? deviceId;
    return { href: `/devices/${deviceId}`, words };
  }
  if (kind === 'document-viewed' && reference !== null) {
    return { href: `/documents/${encodeURIComponent(reference)}`, words: reference };
  }
  const airBlastId = data['airBlastId'];
  if (typeof airBlastId === 'string') {
    return { href: `/air-blast/${airBlastId}`, words: t('app.nav.airBlast') };
  }
  const targets = entry.run?.counters.target ?? data['targets'] ?? data['devices'];
  if (typeof targets === 'number' && targets > 1) {
    return { href: null, words: t('cases.onDevices', { count: targets }) };
  }
  return { href: null, words: '' };
}
