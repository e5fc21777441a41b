import type pg from 'pg';

export interface DescribedStatement {
  /** OIDs of the parameter types. */
  readonly parameters: readonly number[];
  readonly columns: readonly {
    readonly name: string;
    /** OID. */
    readonly type: number;
    /** The column of a table that it is, as `table.column`. */
    readonly source: string;
  }[];
}

/**
 * What the server says of a statement that it parses and does not run.
 * @throws pg.DatabaseError when it does not accept it
 */
export function describeStatement(client: pg.Client, text: string): Promise<DescribedStatement> {
  return new Promise((resolve, reject) => {
    client.query(toDescription(text, resolve, reject));
  });
}

interface ParameterDescription {
  readonly dataTypeIDs: readonly number[];
}

interface RowDescription {
  readonly fields: readonly pg.FieldDef[];
}

/** What the driver calls while this is the query in progress. */
function toDescription(
  text: string,
  resolve: (described: DescribedStatement) => void,
  reject: (error: Error) => void,
) {
  let parameters: readonly number[] = [];
  let columns: DescribedStatement['columns'] = [];
  const keepParameters = (message: ParameterDescription): void => {
    parameters = message.dataTypeIDs;
  };
  return {
    submit(connection: pg.Connection): void {
      connection.on('parameterDescription', keepParameters);
      connection.parse({ name: '', text, types: [] }, true);
      connection.describe({ type: 'S', name: '' }, true);
      connection.sync();
    },
    handleRowDescription({ fields }: RowDescription): void {
      columns = fields.map(({ name, dataTypeID, tableID, columnID }) => ({
        name,
        type: dataTypeID,
        source: `${tableID}.${columnID}`,
      }));
    },
    handleError(error: Error, connection: pg.Connection): void {
      connection.off('parameterDescription', keepParameters);
      reject(error);
    },
    handleReadyForQuery(connection: pg.Connection): void {
      connection.off('parameterDescription', keepParameters);
      resolve({ parameters, columns });
    },
  };
}
