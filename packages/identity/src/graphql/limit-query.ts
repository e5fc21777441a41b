import { GraphQLError, type ASTVisitor, type SelectionNode, type ValidationContext } from 'graphql';

/** The deepest selection of the contract has four levels (departments of a user). */
const MOST_LEVELS = 8;
/** Fields of one operation; the largest selection of the contract has 80. */
const MOST_FIELDS = 400;
/** Several mutations in one request would be several guesses. */
const MOST_MUTATIONS = 1;

/**
 * Refuses operations that are deeper or wider than any client needs. Fragments are refused with them: the contract has
 * none, and without them nothing multiplies. So is asking for the schema: no client of the contract does.
 */
export function limitQuery(context: ValidationContext): ASTVisitor {
  const refuse = (message: string): void => context.reportError(new GraphQLError(message));
  return {
    FragmentDefinition: () => refuse('Fragments are not supported.'),
    Field({ name }) {
      if (name.value === '__schema' || name.value === '__type')
        refuse('Introspection is not supported.');
    },
    OperationDefinition(operation) {
      const { selections } = operation.selectionSet;
      const size = measure(selections);
      if (size.levels > MOST_LEVELS || size.fields > MOST_FIELDS) refuse('The query is too large.');
      if (operation.operation === 'mutation' && selections.length > MOST_MUTATIONS) {
        refuse('Only one mutation per request is supported.');
      }
    },
  };
}

interface Size {
  readonly levels: number;
  readonly fields: number;
}

function measure(selections: readonly SelectionNode[]): Size {
  const sizes = selections.map((selection): Size => {
    if (selection.kind === 'FragmentSpread' || selection.selectionSet === undefined) {
      return { levels: 0, fields: 1 };
    }
    const inner = measure(selection.selectionSet.selections);
    return { levels: inner.levels, fields: inner.fields + 1 };
  });
  return {
    levels: 1 + Math.max(0, ...sizes.map(({ levels }) => levels)),
    fields: sizes.reduce((sum, { fields }) => sum + fields, 0),
  };
}
