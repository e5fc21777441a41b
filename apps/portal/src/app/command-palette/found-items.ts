import type { SearchAnswer, SearchHit } from '@deviceportal/contract/search';
import { askAboutCase } from '../../cases/case-dialog-store.ts';
import type { Translate } from '../../i18n/use-t.ts';
import { encodeFilter } from '../../ui/filter-codec.ts';
import { navigateTo } from '../../ui/navigate-to.ts';
import { hrefOfHit } from './href-of-hit.ts';
import type { PaletteItem } from './palette-item.ts';
import { stateKindOf } from './state-kind-of.ts';
import type { ParsedSearch } from './parse-search.ts';

/** Results of the server by kind, with a link to all results if there are more. */
export function foundItems(
  t: Translate,
  answer: SearchAnswer | undefined,
  { text, mayOpenCase }: Pick<ParsedSearch, 'text'> & { readonly mayOpenCase: boolean },
): PaletteItem[] {
  return (answer?.groups ?? []).flatMap(({ kind, hits, more }) => [
    ...hits.map((hit) => foundItem(t, hit)),
    ...(kind === 'person' && mayOpenCase ? hits.slice(0, 1).map((hit) => caseForItem(t, hit)) : []),
    ...(more && kind === 'device' ? [allDevicesItem(t, answer?.mended ?? text)] : []),
  ]);
}

function foundItem(t: Translate, hit: SearchHit): PaletteItem {
  const href = hrefOfHit(hit);
  const kind = stateKindOf[hit.kind];
  return {
    id: `${hit.kind}:${hit.id}`,
    section: t(`app.palette.kinds.${hit.kind}`),
    label: hit.label,
    detail: hit.detail,
    why: hit.why === undefined ? undefined : t(`app.palette.why.${hit.why}`),
    state: kind === null || hit.state === null ? undefined : { kind, value: hit.state },
    at: hit.at,
    href,
    act: () => navigateTo(href),
  };
}

/** Offers to open a case for a person that was found. */
function caseForItem(t: Translate, { id, label, detail }: SearchHit): PaletteItem {
  return {
    id: `case-for:${id}`,
    section: t('app.palette.kinds.person'),
    label: t('app.palette.openCaseFor', { name: label }),
    detail,
    act: () => askAboutCase({ kind: 'open', person: { id, name: label } }),
  };
}

function allDevicesItem(t: Translate, text: string): PaletteItem {
  const q = encodeFilter({ operation: 'and', tokens: [{ operator: ':', values: [text] }] });
  const href = `/devices?q=${encodeURIComponent(q)}`;
  return {
    id: 'all-devices',
    section: t('app.palette.kinds.device'),
    label: t('app.palette.allDevices', { text }),
    detail: '',
    href,
    act: () => navigateTo(href),
  };
}

/**
 * A pasted list of serial numbers opens the device list, which reports the ones that were not
 * found.
 */
export function serialListItem(
  t: Translate,
  { serialNumbers }: ParsedSearch,
  openList: (serialNumbers: readonly string[], open: (listId: string) => void) => void,
): PaletteItem[] {
  if (serialNumbers.length === 0) return [];
  return [
    {
      id: 'serial-list',
      section: t('app.palette.kinds.device'),
      label: t('app.palette.serials', { count: serialNumbers.length }),
      detail: '',
      act: () => openList(serialNumbers, (listId) => navigateTo(`/devices?targets=${listId}`)),
    },
  ];
}
