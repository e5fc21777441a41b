import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

/** Atlassian Document Format, version 1, with the nodes that a plain text needs. */
const documentSchema = z.strictObject({
  type: z.literal('doc'),
  version: z.literal(1),
  content: z.array(
    z.strictObject({
      type: z.literal('paragraph'),
      content: z.array(z.strictObject({ type: z.literal('text'), text: z.string().min(1) })),
    }),
  ),
});
const issueSchema = z.strictObject({
  fields: z.strictObject({
    project: z.strictObject({ key: z.literal('SUP') }),
    issuetype: z.strictObject({ name: z.literal('Task') }),
    summary: z
      .string()
      .min(1)
      .max(254)
      .regex(/^[^\n]*$/),
    description: documentSchema,
    labels: z.array(z.string().regex(/^\S+$/)),
  }),
});
const commentSchema = z.strictObject({
  body: documentSchema,
  properties: z.array(z.strictObject({ key: z.string(), value: z.object({ id: z.uuid() }) })),
});
const transitionSchema = z.strictObject({ transition: z.strictObject({ id: z.literal('31') }) });
const incidentSchema = z.strictObject({
  short_description: z.string().min(1).max(160),
  description: z.string(),
  correlation_id: z.uuid(),
  correlation_display: z.string(),
});
const incidentChangeSchema = z.union([
  z.strictObject({ work_notes: z.string().min(1) }),
  z.strictObject({ state: z.literal('6'), close_code: z.string(), close_notes: z.string() }),
]);

type Body = Record<string, unknown>;
interface Reply {
  readonly status: number;
  readonly body?: unknown;
}

export interface StandInRequest {
  readonly method: string;
  readonly path: string;
  readonly authorization: string;
  readonly body: string;
}

/**
 * Jira Cloud and ServiceNow as far as the portal uses them, with the shapes of their documented requests and answers. A
 * request that does not have the documented shape is rejected with 400.
 */
export class TicketStandIn implements AsyncDisposable {
  readonly requests: StandInRequest[] = [];
  readonly issues: { key: string; fields: Body; comments: Body[]; status: string }[] = [];
  readonly incidents: (Body & { notes: string[] })[] = [];
  /** What happens to the next requests instead of an answer. */
  readonly troubles: ('500' | '401' | 'redirect' | 'lost-answer')[] = [];
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  static async start(): Promise<TicketStandIn> {
    const standIn = new TicketStandIn();
    await new Promise<void>((resolve) => standIn.#server.listen(0, '127.0.0.1', resolve));
    return standIn;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const { method = '', url = '', headers } = request;
    const { authorization = '' } = headers;
    this.requests.push({ method, path: url, authorization, body });
    const trouble = this.troubles.shift();
    if (trouble === 'redirect') {
      response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
      return;
    }
    if (trouble === '500' || trouble === '401') {
      response.writeHead(Number(trouble)).end();
      return;
    }
    const reply = this.#checked(method, url, body);
    if (trouble === 'lost-answer') {
      request.socket.destroy();
      return;
    }
    response
      .writeHead(reply.status, { 'content-type': 'application/json' })
      .end(reply.body === undefined ? '' : JSON.stringify(reply.body));
  }

  #checked(method: string, url: string, body: string): Reply {
    try {
      const parsed = body === '' ? {} : (JSON.parse(body) as Body);
      return this.#reply(method, new URL(url, 'http://stand-in'), parsed);
    } catch (error) {
      return { status: 400, body: { errorMessages: [String(error)] } };
    }
  }

  #reply(method: string, { pathname, searchParams }: URL, body: Body): Reply {
    // `/rest/api/3/…` and `/api/now/table/…`
    const parts = pathname.split('/').slice(4);
    return pathname.startsWith('/rest/api/3/')
      ? this.#jira(method, parts, { searchParams, body })
      : this.#serviceNow(method, parts, { searchParams, body });
  }

  #jira(
    method: string,
    [noun, key = '', part = '']: readonly string[],
    { searchParams, body }: { searchParams: URLSearchParams; body: Body },
  ): Reply {
    const issue = this.issues.find((each) => each.key === key);
    const what = `${method} ${noun} ${part}`.trim();
    if (what === 'GET project') return { status: key === 'SUP' ? 200 : 404, body: { key } };
    if (what === 'GET search') {
      const [, label = ''] = /labels = "([^"]+)"/.exec(searchParams.get('jql') ?? '') ?? [];
      const found = this.issues.filter(({ fields }) =>
        (fields['labels'] as string[]).includes(label),
      );
      return { status: 200, body: { issues: found.map((each) => ({ key: each.key })) } };
    }
    if (what === 'POST issue') {
      const { fields } = issueSchema.parse(body);
      const made = { key: `SUP-${this.issues.length + 1}`, fields, comments: [], status: 'new' };
      this.issues.push(made);
      return { status: 201, body: { id: '1', key: made.key, self: 'x' } };
    }
    if (issue === undefined) return { status: 404, body: { errorMessages: ['not found'] } };
    switch (what) {
      case 'POST issue comment':
        issue.comments.push(commentSchema.parse(body));
        return { status: 201, body: { id: '1' } };
      case 'GET issue comment':
        return { status: 200, body: { comments: issue.comments } };
      case 'GET issue transitions':
        return {
          status: 200,
          body: { transitions: issue.status === 'done' ? [] : [{ id: '31', name: 'Done' }] },
        };
      case 'POST issue transitions':
        transitionSchema.parse(body);
        issue.status = 'done';
        return { status: 204 };
      case 'GET issue':
        return {
          status: 200,
          body: { fields: { status: { statusCategory: { key: issue.status } } } },
        };
      default:
        return { status: 405 };
    }
  }

  #serviceNow(
    method: string,
    [table, sysId]: readonly string[],
    { searchParams, body }: { searchParams: URLSearchParams; body: Body },
  ): Reply {
    const query = searchParams.get('sysparm_query') ?? '';
    if (method === 'GET' && table === 'sys_journal_field') {
      const [, id = ''] = /valueLIKE(.+)$/.exec(query) ?? [];
      const found = this.incidents.some(({ notes }) => notes.some((note) => note.includes(id)));
      return { status: 200, body: { result: found ? [{ sys_id: 'j1' }] : [] } };
    }
    if (table !== 'incident') return { status: 404 };
    if (method === 'GET') {
      const [, id = ''] = /correlation_id=([^^]+)/.exec(query) ?? [];
      const found = this.incidents.filter((each) => each['correlation_id'] === id);
      return { status: 200, body: { result: found.slice(0, 1) } };
    }
    if (method === 'POST') {
      const number = `INC${String(this.incidents.length + 1).padStart(7, '0')}`;
      const made = { sys_id: `s${this.incidents.length + 1}`, number, notes: [] };
      this.incidents.push({ ...incidentSchema.parse(body), ...made });
      return { status: 201, body: { result: made } };
    }
    const found = this.incidents.find((each) => each['sys_id'] === sysId);
    if (found === undefined) return { status: 404 };
    const change: Body = incidentChangeSchema.parse(body);
    if (typeof change['work_notes'] === 'string') found.notes.push(change['work_notes']);
    else Object.assign(found, change);
    return { status: 200, body: { result: {} } };
  }
}
