/** Prints a CycloneDX document of the bundled packages and those that npm installs with the program. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { bundled, manifest } from './bundled.js';

process.chdir(new URL('..', import.meta.url).pathname);
const chunks = JSON.parse(readFileSync('node_modules/.cache/kaiactl/chunks.json', 'utf8'));
const text = execFileSync(
  'npm',
  ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'],
  {
    encoding: 'utf8',
    maxBuffer: 64 << 20,
    stdio: ['ignore', 'pipe', 'ignore'],
  },
);
const { $schema, bomFormat, specVersion, version, metadata, components, dependencies } = JSON.parse(text);
const named = new Map(dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));

const got = new Set(
  bundled(chunks).map((folder) => {
    const { name, version } = manifest(folder);
    return `${name}@${version}`;
  }),
);
/** Adds a package and its dependencies. */
function add(ref) {
  if (got.has(ref)) return;
  got.add(ref);
  for (const one of named.get(ref) ?? []) add(one);
}
const { name, version: ours, optionalDependencies } = manifest('.');
for (const one of named.get(`${name}@${ours}`) ?? [])
  if (one.replace(/@[^@]*$/, '') in optionalDependencies) add(one);
const kept = components.filter((one) => got.has(one['bom-ref']));
const refs = new Set([`${name}@${ours}`, ...got]);

const document = {
  $schema,
  bomFormat,
  specVersion,
  version,
  metadata: { ...metadata, component: { ...metadata.component, name } },
  components: kept.map(({ externalReferences, properties: _, ...one }) => ({
    ...one,
    scope: 'required',
    externalReferences: externalReferences.filter(({ type }) => type !== 'distribution'),
  })),
  dependencies: dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) })),
};
process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
