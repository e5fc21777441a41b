import type { Page } from 'playwright-core';
import { SCENARIOS, type Scenario } from './browser-scenarios.ts';
import type { TestBrowser } from './test-browser.ts';
import { revive } from './placeholders.ts';
import { HOST } from './recorded-provider.ts';
import type { Json, RecordedRequest, VectorCase } from './vector-case.ts';

/** The outcome of a case in a browser. */
export interface BrowserOutcome {
  readonly requests: readonly RecordedRequest[];
  readonly result: Json | undefined;
  readonly thrown: { readonly code?: Json; readonly message: string } | undefined;
  readonly callbacks: readonly { readonly name: string; readonly args: readonly Json[] }[];
  readonly windows: readonly (readonly Json[])[];
  readonly storage: { readonly [key: string]: string };
  readonly pages: readonly string[];
  readonly dom: Json;
  readonly input: Json;
}

/** Data that the page records. */
interface Trace {
  readonly callbacks: { name: string; args: Json[] }[];
  readonly windows: Json[][];
  input: Json;
  ended: { result?: Json; thrown?: { code?: Json; message: string } } | undefined;
}

const USER = { id: 'u-1', token: 'user-token-1' };
const BEARER = 'Bearer user-token-1';

/** Runs a case in a new page, and reads the outcome after the recorded number of events. */
export async function runBrowserCase(
  testBrowser: TestBrowser,
  entry: VectorCase & Recorded,
): Promise<BrowserOutcome> {
  const scenario = SCENARIOS[entry.id] ?? {};
  const provider = testBrowser.play(entry);
  await using context = await testBrowser.browser.newContext({
    viewport: { width: 1280, height: 800 },
    ...(entry.userAgent ? { userAgent: entry.userAgent } : {}),
  });
  const page = await context.newPage();
  await page.goto(`${scenario.origin ?? HOST}/__page`);
  await page.addScriptTag({ content: testBrowser.script });
  await prepare(page, entry, scenario);
  const user = callbacksOf(entry)[0]?.args[0] ?? null;
  const act = scenario.act?.(page, context, user);
  const { client, method } = entry;
  const spec = { client, method, args: scenario.args ?? [], twice: scenario.twice ?? false };
  await page.evaluate(startCall, JSON.stringify({ ...spec, options: optionsOf(scenario) }));
  await act;
  const leaves = entry.topNavigations?.length;
  await waitFor(async () => {
    if (leaves) return page.url() !== `${HOST}/__page`;
    const { callbacks, ended } = await page.evaluate(() => globalThis.trace);
    if (!areOpen(entry.openPages ?? [], context.pages().slice(1))) return false;
    const isEnough = callbacks.length >= callbacksOf(entry).length;
    const isSent = provider.requests.length >= requestsOf(entry).length;
    if (scenario.until === 'sent') return isSent;
    if (scenario.until === 'ended') return ended !== undefined;
    return isEnough && isSent && ended !== undefined;
  });
  const pages = context.pages().map((open) => open.url());
  const trace = leaves ? undefined : await page.evaluate(() => globalThis.trace);
  return {
    requests: provider.requests,
    result: trace?.ended?.result,
    thrown: trace?.ended?.thrown,
    callbacks: trace?.callbacks ?? [],
    windows: trace?.windows ?? [],
    storage: await page.evaluate(() => ({ ...localStorage }) as Record<string, string>),
    pages: leaves ? pages : pages.slice(1),
    dom: await page.evaluate(describeBox),
    input: trace?.input ?? null,
  };
}

/** Additional fields of browser recordings. */
export interface Recorded {
  readonly userAgent?: string;
  readonly log?: readonly { readonly kind: string; readonly name?: string; readonly args?: Json }[];
  readonly topNavigations?: readonly string[];
  readonly openPages?: readonly string[];
  readonly storage?: { readonly [key: string]: string };
  readonly dom?: { readonly [moment: string]: Json };
  readonly input?: Json;
}

export function callbacksOf(entry: Recorded): readonly { name: string; args: readonly Json[] }[] {
  return (entry.log ?? [])
    .filter(({ kind }) => kind === 'callback')
    .map(({ name, args }) => ({ name: name ?? '', args: args as readonly Json[] }));
}

export function requestsOf(entry: VectorCase): readonly RecordedRequest[] {
  const all = entry.exchanges?.map(({ request }) => request) ?? [entry.expectedRequest];
  return all.filter(
    (request): request is RecordedRequest => request !== null && request.method !== 'OPTIONS',
  );
}

function optionsOf(scenario: Scenario): unknown {
  return revive({ appId: 'app-1', appHost: HOST, ...scenario.options } as Json, (name) => ({
    $fn: name,
  }));
}

async function prepare(
  page: Page,
  entry: VectorCase & Recorded,
  scenario: Scenario,
): Promise<void> {
  const isSignedIn =
    requestsOf(entry).some(({ headers }) => headers['authorization'] === BEARER) ||
    entry.id.startsWith('browser.upload.uploadAvatar');
  const storage = {
    ...(isSignedIn ? { _authing_token: USER.token, _authing_user: JSON.stringify(USER) } : {}),
    ...scenario.storage,
  };
  const needsBox = entry.id.startsWith('browser.qr.') && !/sizes|CreatedBox/.test(entry.id);
  await page.evaluate(preparePage, {
    storage: storage as Record<string, string>,
    needsBox,
    blockPopups: scenario.blockPopups ?? false,
  });
}

/** A window has the address `about:blank` until its navigation is committed. */
function areOpen(expected: readonly string[], opened: readonly Page[]): boolean {
  if (expected.includes('about:blank')) return true;
  return opened.length >= expected.length && opened.every((page) => page.url() !== 'about:blank');
}

async function waitFor(isDone: () => Promise<boolean>): Promise<void> {
  const until = Date.now() + 15_000;
  while (Date.now() < until) {
    // A page that is navigating away cannot be evaluated.
    if (await isDone().catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

declare global {
  var trace: Trace;
  var identityClient: Readonly<Record<string, new (options: unknown) => Record<string, never>>>;
}

/** Runs in the page. */
function preparePage(setup: {
  storage: Record<string, string>;
  needsBox: boolean;
  blockPopups: boolean;
}): void {
  const trace: Trace = { callbacks: [], windows: [], input: null, ended: undefined };
  globalThis.trace = trace;
  for (const [key, value] of Object.entries(setup.storage)) localStorage.setItem(key, value);
  if (setup.needsBox) {
    const box = document.createElement('div');
    box.id = 'qr-box';
    document.body.append(box);
  }
  const open = window.open.bind(window);
  window.open = (...args) => {
    trace.windows.push(args.map((arg) => String(arg)));
    return setup.blockPopups ? null : open(...args);
  };
  const click = HTMLInputElement.prototype.click;
  HTMLInputElement.prototype.click = function chooseFile(this: HTMLInputElement) {
    trace.input = { accept: this.accept, multiple: this.multiple };
    click.call(this);
  };
}

/** Runs in the page. */
function startCall(text: string): void {
  const spec = JSON.parse(text) as {
    readonly client: string;
    readonly method: string;
    readonly args: unknown;
    readonly options: unknown;
    readonly twice: boolean;
  };
  const make = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(make);
    if (typeof value !== 'object' || value === null) return value;
    const record = value as Record<string, unknown>;
    if (typeof record['$blob'] === 'number') {
      return new Blob([new Uint8Array(record['$blob'])], { type: 'image/png' });
    }
    if (typeof record['$fn'] === 'string') {
      const name = record['$fn'];
      return (...args: unknown[]) => {
        const plain = args.map((arg) =>
          typeof (arg as { stop?: unknown } | null)?.stop === 'function' ? null : arg,
        );
        const copy = JSON.parse(
          JSON.stringify(
            plain.map((arg) =>
              arg instanceof Error
                ? { code: (arg as { code?: Json }).code, message: arg.message }
                : arg,
            ),
          ),
        ) as Json[];
        globalThis.trace.callbacks.push({ name, args: copy });
      };
    }
    return Object.fromEntries(Object.entries(record).map(([name, item]) => [name, make(item)]));
  };
  const AuthenticationClient = identityClient['AuthenticationClient'];
  if (!AuthenticationClient) throw new Error('The script is missing');
  const client = new AuthenticationClient(make(spec.options));
  const target = (spec.client === 'authentication'
    ? client
    : client[spec.client]) as unknown as Record<string, (...args: unknown[]) => unknown>;
  const run = async (): Promise<unknown> =>
    target[spec.method]?.(...(make(spec.args) as unknown[]));
  (spec.twice ? run().then(run) : run()).then(
    (result) => {
      const copy =
        result === undefined ? {} : { result: JSON.parse(JSON.stringify(result)) as Json };
      globalThis.trace.ended = copy;
    },
    (error: { code?: Json; message: string }) => {
      globalThis.trace.ended = {
        thrown: {
          ...(error.code === undefined ? {} : { code: error.code }),
          message: error.message,
        },
      };
    },
  );
}

/** Runs in the page: describes the visible box by ids, classes, and texts. */
function describeBox(): Json {
  const describe = (element: Element): Json => {
    if (element.id === 'authing__spinner') return { id: element.id };
    const children = [...element.children].map(describe);
    return {
      tag: element.tagName.toLowerCase(),
      ...(element.id ? { id: element.id } : {}),
      ...(element.className ? { class: String(element.className) } : {}),
      ...(children.length === 0 && element.textContent ? { text: element.textContent } : {}),
      ...(children.length > 0 ? { children } : {}),
    };
  };
  const box = document.getElementById('qr-box');
  return box ? describe(box) : null;
}
