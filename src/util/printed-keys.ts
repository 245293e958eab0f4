/** The last 16 digits of keys that development tools and documents print: of anvil and hardhat, geth --dev, besu's examples and Prysm's devnet. */
const printed = new Set(
  `ae784d7bf4f2ff80 12f4603b6b78690d 3fb9a804cdab365a c371e15141b007a6 639f19c30a34926a 348e872092edffba b8d88b2b4ec1564e
  0f1fcdbf7cbf4356 c0cf5d620ea67b97 cf7073dff6d409c6 ac2f96dbcda3f291 efbd1542c692be63 4a9ec0a0f44dc0d3 3c36d94e974d162f
  7e1e574b32d4dd36 87752191c9520659 7c228266c772a890 90e498ca04704cf2 f9ec422fb4975622`.split(/\s+/),
);

/** Whether it is a key that everybody knows: it protects nothing. */
export function isPrintedKey(value: string): boolean {
  return printed.has(value.slice(-16).toLowerCase());
}
