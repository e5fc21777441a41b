/** Headers as people write them, and as the portal shows the columns, in lower case without spaces. */
const names: Readonly<Record<string, string>> = {
  serial: 'serialNumber',
  serialno: 'serialNumber',
  owneremailaddress: 'ownerEmail',
  owner: 'ownerEmail',
  emailaddress: 'email',
  phonenumber: 'phone',
  countrycode: 'country',
  序列号: 'serialNumber',
  名称: 'name',
  姓名: 'name',
  型号: 'model',
  所有者邮箱: 'ownerEmail',
  '国家/地区': 'country',
  标签: 'labels',
  用户名: 'username',
  邮箱: 'email',
  电话: 'phone',
  语言: 'language',
};

/** The column that a header names; spaces, underscores, and capitals make no difference. */
export function columnOfHeader<Column extends string>(
  header: string,
  columns: readonly Column[],
): Column | undefined {
  const plain = header.toLowerCase().replaceAll(/[\s_-]/g, '');
  const named = names[plain] ?? plain;
  return columns.find((column) => column.toLowerCase() === named.toLowerCase());
}
