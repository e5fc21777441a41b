import type { SearchAnswer, SearchSuggestion } from '@deviceportal/contract/search';

/** The first result as the portal shows it, written as in the wanted searches. */
export function firstResult({ suggestions, suggestionsLead, groups }: SearchAnswer): string {
  const [suggestion] = suggestions;
  const hit = groups[0]?.hits[0];
  if (suggestion !== undefined && (suggestionsLead || hit === undefined))
    return written(suggestion);
  return hit === undefined ? 'nothing' : `${hit.kind} ${hit.label}`;
}

function written(suggestion: SearchSuggestion): string {
  if (suggestion.kind === 'command') return `command ${suggestion.command}`;
  if (suggestion.kind === 'run') return `run ${suggestion.command} ${suggestion.device.label}`;
  const order = ['connectivity', 'lifecycle', 'finding', 'country', 'model', 'software', 'label'];
  const tokens = suggestion.tokens
    .toSorted((one, other) => order.indexOf(one.key) - order.indexOf(other.key))
    .map(({ key, values }) => `${key}=${values.join(',')}`);
  const text = suggestion.text === '' ? [] : [`"${suggestion.text}"`];
  return ['devices', ...tokens, ...text].join(' ');
}
