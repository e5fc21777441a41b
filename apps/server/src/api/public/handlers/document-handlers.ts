import type { DocumentRow } from '@deviceportal/contract/documents';
import type { OperationOutput } from '@deviceportal/contract/public-api';
import type { Handlers, PortalCaller } from '../operation-call.ts';

export const documentHandlers: Handlers<'listDocuments' | 'getDocument'> = {
  async listDocuments({ portal, query: { text = '', pageSize, cursor = null } }) {
    const { rows, nextCursor } = await portal.documents.list({ text, pageSize, cursor });
    return { items: rows.map(documentOf), nextCursor };
  },
  async getDocument({ portal, params }) {
    const document = await portal.documents.get({ name: params.document });
    return {
      ...documentOf(document),
      parameters: await parametersOf(portal, document),
      versions: document.versions.map(({ version, state, sha256, createdAt }) => ({
        ...{ version, state, sha256, createdAt },
      })),
    };
  },
};

function documentOf(row: DocumentRow): OperationOutput<'listDocuments'>['items'][number] {
  const { name, description, state, defaultVersion, latestVersion, consequence, updatedAt } = row;
  return {
    ...{ name, description, state, defaultVersion, latestVersion, consequence, updatedAt },
    ...{ commands: [...row.commands], platforms: [...row.platforms] },
  };
}

async function parametersOf(
  portal: PortalCaller,
  { name, defaultVersion: version }: DocumentRow,
): Promise<OperationOutput<'getDocument'>['parameters']> {
  if (version === null) return [];
  const found = await portal.documents.getVersion({ name, version });
  return Object.entries(found.parameters).map(([parameter, declared]) => ({
    name: parameter,
    type: declared.type,
    description: declared.description ?? null,
    required: declared.default === undefined,
    secret: found.secretParameters.includes(parameter),
  }));
}
