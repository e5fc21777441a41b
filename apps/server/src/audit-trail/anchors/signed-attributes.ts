import { Constructed, fromBER, Sequence, Set as Asn1Set } from 'asn1js';

const SET_OF = 0x31;
const CONTEXT_CLASS = 3;
/** The fields before are version, signer, and digest algorithm (RFC 5652, section 5.3). */
const PLACE = 3;

/**
 * The bytes that the only signer of a CMS message signs: the signed attributes, with the tag of a SET OF instead of the
 * field's tag (RFC 5652, section 5.4). Undefined if there are none.
 */
export function signedAttributesOf(message: Uint8Array): Buffer | undefined {
  const [, tagged] = itemsOf(fromBER(new Uint8Array(message).buffer).result);
  const [signedData] = itemsOf(tagged);
  const [signer] = itemsOf(itemsOf(signedData).at(-1));
  const attributes = itemsOf(signer)[PLACE];
  if (!(attributes instanceof Constructed)) return undefined;
  const { tagClass, tagNumber } = attributes.idBlock;
  if (tagClass !== CONTEXT_CLASS || tagNumber !== 0) return undefined;
  const bytes = Buffer.from(attributes.valueBeforeDecodeView);
  bytes[0] = SET_OF;
  return bytes;
}

function itemsOf(item: unknown): readonly unknown[] {
  const isList = item instanceof Sequence || item instanceof Asn1Set || item instanceof Constructed;
  return isList ? item.valueBlock.value : [];
}
