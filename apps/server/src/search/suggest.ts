import type { DeviceFilterToken } from '@deviceportal/contract/devices';
import { holds } from '@deviceportal/contract/permissions';
import {
  searchScores,
  type EstimatedCount,
  type SearchHit,
  type SearchSuggestion,
} from '@deviceportal/contract/search';
import type { Viewer } from '../platform/viewer.ts';
import { readIntent, type Intent } from './intents/read-intent.ts';

export interface SuggestDeps {
  /** Filters of the device list that words of a text stand for: models, labels, and versions. */
  readonly readFleetWords: (words: readonly string[]) => Promise<{
    readonly tokens: readonly DeviceFilterToken[];
    readonly rest: readonly string[];
  }>;
  readonly estimateMatches: (
    viewer: Viewer,
    wanted: { readonly tokens: readonly DeviceFilterToken[]; readonly text: string },
  ) => Promise<EstimatedCount>;
  /** Those of these commands that the viewer can run on any device, and on which of some devices. */
  readonly findRunnable: (
    viewer: Viewer,
    commands: readonly string[],
  ) => Promise<
    readonly {
      readonly command: string;
      readonly runnableOn: (deviceIds: readonly string[]) => Promise<ReadonlySet<string>>;
    }[]
  >;
}

export interface Suggested {
  readonly suggestions: readonly SearchSuggestion[];
  /** The devices that a command was asked for, as results. */
  readonly devices: readonly SearchHit[];
  /** Whether all words were read, so that the text is not a name. */
  readonly isWhole: boolean;
}

const nothing: Suggested = { suggestions: [], devices: [], isWhole: false };
const MAX_COMMANDS = 3;
const MAX_DEVICES = 3;

/**
 * What a text asks for in words: a command, a command on a device, or devices by state, country, model, label, and
 * version.
 *
 * @param findDevices the devices that a text names
 */
export async function suggest(
  deps: SuggestDeps,
  viewer: Viewer,
  request: {
    readonly text: string;
    readonly corrects: boolean;
    readonly findDevices: (text: string) => Promise<readonly SearchHit[]>;
  },
): Promise<Suggested> {
  const intent = readIntent(request.text, request.corrects);
  if (request.corrects && !intent.isCorrected) return nothing;
  if (intent.commands.length > 0) return suggestCommands(deps, viewer, { ...request, intent });
  return holds(viewer.grants, 'devices:read') ? suggestDevices(deps, viewer, intent) : nothing;
}

async function suggestCommands(
  deps: SuggestDeps,
  viewer: Viewer,
  {
    intent,
    findDevices,
  }: {
    readonly intent: Intent;
    readonly findDevices: (text: string) => Promise<readonly SearchHit[]>;
  },
): Promise<Suggested> {
  const commands = intent.commands.slice(0, MAX_COMMANDS);
  if (intent.rest.length === 0) {
    const allowed = intent.tokens.length === 0 ? await deps.findRunnable(viewer, commands) : [];
    return {
      suggestions: allowed.map(({ command }) => ({ kind: 'command', command })),
      devices: [],
      isWhole: allowed.length > 0,
    };
  }
  const [devices, runnable] = await Promise.all([
    namedDevices(intent.rest, findDevices),
    deps.findRunnable(viewer, commands),
  ]);
  if (devices.length === 0) return nothing;
  const deviceIds = devices.map(({ id }) => id);
  const reached = await Promise.all(
    runnable.map(async ({ command, runnableOn }) => ({
      command,
      ids: await runnableOn(deviceIds),
    })),
  );
  const suggestions = devices.flatMap((device) =>
    reached
      .filter(({ ids }) => ids.has(device.id))
      .map(({ command }): SearchSuggestion => ({ kind: 'run', command, device })),
  );
  return { suggestions, devices, isWhole: true };
}

/** By all words together, or by the one that has a digit, as serial numbers do. */
async function namedDevices(
  rest: readonly string[],
  findDevices: (text: string) => Promise<readonly SearchHit[]>,
): Promise<SearchHit[]> {
  const coded = rest.filter((word) => /\d/.test(word));
  const [code] = coded;
  const texts = [
    rest.join(' '),
    ...(rest.length > 1 && coded.length === 1 && code !== undefined ? [code] : []),
  ];
  for (const text of texts) {
    const found = await findDevices(text);
    const best = found[0]?.score ?? 0;
    if (best >= searchScores.exact - 2) return found.slice(0, 1);
    if (found.length > 0) return found.slice(0, MAX_DEVICES);
  }
  return [];
}

/** A filter that matches nothing is offered only if it consists of states and countries, which are no secret. */
async function suggestDevices(
  deps: SuggestDeps,
  viewer: Viewer,
  intent: Intent,
): Promise<Suggested> {
  const fleet =
    intent.rest.length === 0 ? { tokens: [], rest: [] } : await deps.readFleetWords(intent.rest);
  const readings = [
    { tokens: [...intent.tokens, ...fleet.tokens], text: fleet.rest.join(' ') },
    ...(fleet.tokens.length > 0 && intent.tokens.length > 0
      ? [{ tokens: intent.tokens, text: intent.rest.join(' ') }]
      : []),
  ];
  for (const { tokens, text } of readings) {
    if (tokens.length === 0 || (text !== '' && intent.tokens.length === 0)) continue;
    const devices = await deps.estimateMatches(viewer, { tokens, text });
    const isPublic = intent.rest.length === 0 && tokens.some(({ key }) => key !== 'country');
    if (devices.count === 0 && !isPublic) continue;
    const isWhole = text === '' && (tokens.length > 1 || tokens[0]?.key !== 'country');
    return { suggestions: [{ kind: 'devices', tokens, text, devices }], devices: [], isWhole };
  }
  return nothing;
}
