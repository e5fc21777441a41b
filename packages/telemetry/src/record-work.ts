import { AsyncLocalStorage } from 'node:async_hooks';
import { tracingChannel } from 'node:diagnostics_channel';
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
  type Tracer,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import type { TracedWork, WorkChannel } from '@deviceportal/server/telemetry-package';

const kinds = {
  server: SpanKind.SERVER,
  internal: SpanKind.INTERNAL,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
} as const;

export interface RecordedWork extends Disposable {
  /** The context of the work in which code runs. */
  readonly store: AsyncLocalStorage<Context>;
}

/** Records the work that the server announces as spans. */
export function recordWork(tracer: Tracer): RecordedWork {
  const channel = tracingChannel<Context, TracedWork>('deviceportal:work' satisfies WorkChannel);
  const store = new AsyncLocalStorage<Context>();
  const spans = new WeakMap<object, Span>();
  const onStart = (work: TracedWork): Context => {
    const parent = contextOf(work, store.getStore());
    // Statements outside of recorded work would be traces of their own.
    if (work.onlyWithin === true && trace.getSpan(parent)?.isRecording() !== true) return parent;
    const options = { kind: kinds[work.kind], attributes: work.attributes };
    const span = tracer.startSpan(work.name, options, parent);
    spans.set(work, span);
    work.traceId = span.spanContext().traceId;
    return trace.setSpan(parent, span);
  };
  const onEnd = (work: TracedWork): void => {
    const span = spans.get(work);
    if (span === undefined) return;
    spans.delete(work);
    span.setAttributes(work.attributes);
    if (work.name !== '') span.updateName(work.name);
    if (work.hasFailed === true) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  };
  // Messages of errors can contain personal data.
  const onError = (work: TracedWork & { readonly error?: unknown }): void => {
    work.hasFailed = true;
    if (work.error instanceof Error) work.attributes['error.type'] = work.error.name;
  };
  channel.start.bindStore(store, onStart);
  channel.asyncEnd.subscribe(onEnd as (work: unknown) => void);
  channel.error.subscribe(onError as (work: unknown) => void);
  return {
    store,
    [Symbol.dispose]() {
      channel.start.unbindStore(store);
      channel.asyncEnd.unsubscribe(onEnd as (work: unknown) => void);
      channel.error.unsubscribe(onError as (work: unknown) => void);
    },
  };
}

/** That of a trusted caller, or of the work around it. */
function contextOf({ kind, parent }: TracedWork, around: Context | undefined): Context {
  if (kind === 'server') {
    const remote = parent === undefined ? null : parseTraceParent(parent);
    if (remote === null) return ROOT_CONTEXT;
    return trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true });
  }
  return around ?? ROOT_CONTEXT;
}
