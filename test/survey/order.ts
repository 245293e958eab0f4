/** An order for a test payment, as clients send it. */
export const order = {
  buyerAddress: '0xB7b7Be0b3DfC6a7baE8cBCf072DeACB616242664',
  itemIdentifier: 'it',
  name: 'n',
  imageUrl: 'http://x/y.png',
  pgType: 'CRYPTO',
  currencyCode: 'KAIA',
  price: '1',
  testMode: true,
};
