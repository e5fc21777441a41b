import { listItems } from '../api/list-items.ts';
import type { Session } from '../session.ts';

/** The commands that can be run. */
export async function listCommands(session: Session): Promise<void> {
  const { items } = await (await session.api()).call('listCommands');
  await session.printer.list(
    items,
    [
      { title: 'command', value: ({ command }) => command },
      { title: 'effect', value: ({ consequence }) => consequence },
      { title: 'allowed', value: ({ allowed }) => (allowed ? 'yes' : 'no') },
      { title: 'description', value: ({ description }) => description },
    ],
    'No commands.',
  );
}

export async function listDocuments(
  session: Session,
  { limit, text }: { readonly limit: number; readonly text?: string },
): Promise<void> {
  const api = await session.api();
  await session.printer.list(
    listItems((page) => api.call('listDocuments', { query: { text, ...page } }), limit),
    [
      { title: 'document', value: ({ name }) => name },
      { title: 'state', value: ({ state }) => state },
      { title: 'version', value: ({ defaultVersion }) => defaultVersion },
      { title: 'effect', value: ({ consequence }) => consequence },
      { title: 'description', value: ({ description }) => description },
    ],
    'No documents match.',
  );
}

/** A document with its parameters. */
export async function showDocument(session: Session, name: string): Promise<void> {
  const { printer } = session;
  const api = await session.api();
  const document = await api.call('getDocument', { params: { document: name } });
  if (printer.isJson) {
    printer.json(document);
    return;
  }
  printer.facts({
    Document: document.name,
    Description: document.description,
    State: document.state,
    'Default version': document.defaultVersion,
    Effect: document.consequence,
    Commands: document.commands.join(', '),
    Platforms: document.platforms.join(', '),
  });
  printer.line('');
  await printer.list(
    document.parameters,
    [
      { title: 'parameter', value: ({ name: parameter }) => parameter },
      { title: 'type', value: ({ type }) => type },
      { title: 'required', value: ({ required }) => (required ? 'yes' : 'no') },
      { title: 'secret', value: ({ secret }) => (secret ? 'yes' : 'no') },
      { title: 'description', value: ({ description }) => description },
    ],
    'The document has no parameters.',
  );
}

/** Searches everything that the token can read. */
export async function search(
  session: Session,
  q: string,
  { kind }: { readonly kind?: readonly string[] },
): Promise<void> {
  const { printer } = session;
  const found = await (await session.api()).call('search', { query: { q, kind } });
  if (printer.isJson) {
    printer.json(found);
    return;
  }
  if (found.corrected !== null) printer.note(`No exact match. Results for: ${found.corrected}`);
  await printer.list(
    found.groups.flatMap((group) => group.hits.map((hit) => ({ ...hit, kind: group.kind }))),
    [
      { title: 'kind', value: ({ kind: kindOfHit }) => kindOfHit },
      { title: 'name', value: ({ label }) => label },
      { title: 'detail', value: ({ detail }) => detail },
      { title: 'state', value: ({ state }) => state },
      { title: 'id', value: ({ id }) => id },
    ],
    'No results.',
  );
}

/** What the token can do at the moment. */
export async function showToken(session: Session): Promise<void> {
  const { printer } = session;
  const api = await session.api();
  const token = await api.call('getToken');
  if (printer.isJson) {
    printer.json({ portal: api.portalUrl, ...token });
    return;
  }
  printer.facts({
    Portal: api.portalUrl,
    Token: token.name,
    Kind: token.kind,
    User: token.user,
    Expires: token.expiresAt,
  });
  printer.line('');
  await printer.list(
    token.grants,
    [
      { title: 'permissions', value: ({ permissions }) => permissions.join(', ') },
      { title: 'countries', value: ({ scope }) => scope.countries.join(', ') || 'all' },
      { title: 'models', value: ({ scope }) => scope.models.join(', ') || 'all' },
      {
        title: 'labels',
        value: ({ scope }) =>
          Object.entries(scope.labels)
            .map(([key, value]) => `${key}=${value}`)
            .join(', ') || 'all',
      },
    ],
    'The token has no permissions.',
  );
}
