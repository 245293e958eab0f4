/** The family of a file by its name: how far its words are settings. */

/** How the words of a file count. */
export type Family = 'settings' | 'data' | 'code' | 'document';

const documents =
  /\.(?:md|mdx|markdown|rst|adoc|asciidoc|html?|tex|css|scss|less|svg|map|snap|po|log|lock|sum|patch|diff|csv|tsv|png|jpe?g|gif|ico|webp|pdf|woff2?|ttf|mp4|bin|abi)$|(?:^|[\\/])(?:LICEN[CS]E|CHANGELOG|README|NOTICE|AUTHORS|CODEOWNERS|package-lock\.json|go\.mod)[^\\/]*$|(?:^|[\\/])(?:templates[\\/]NOTES\.txt|\.?(?:\w+_)?history)$/i;
const programs =
  /\.(?:[cm]?[jt]sx?|py|pyi|go|rs|rb|java|kts?|c|cc|cpp|h|hpp|cs|php|swift|sol|vy|pl|pm|scala|groovy|lua|exs?|erl|dart|vue|svelte|ipynb|proto|graphql|wat|asm|s|zig|nim|ml|hs|clj)$/i;

/** A test of a program; a folder of that name may hold the start of a node. */
const tests = /[._-](?:test|spec)\.[a-z]+$|(?:^|[\\/])test_[^\\/]+\.py$/i;

export function familyOf(path: string): Family {
  if (documents.test(path)) return 'document';
  if (programs.test(path)) return tests.test(path) ? 'document' : 'code';
  return /\.json$/i.test(path) ? 'data' : 'settings';
}

/**
 * A workflow that runs on machines of GitHub, which take no connections, that starts none of the folder's projects, and that
 * reaches no other machine: it is a test.
 */
export function isHostedJob(path: string, text: string): boolean {
  if (!/\.github[\\/]workflows[\\/]/.test(path)) return false;
  const machines = text.match(/^\s*runs-on:.*/gm) ?? [];
  const isHosted = (one: string) => /:[ \t]*["']?(?:ubuntu|windows|macos)-/.test(one);
  return machines.length > 0 && !elsewhere.test(text) && machines.every(isHosted);
}

/** What leads to another machine, or to files that may: their values count. */
const elsewhere =
  /\b(?:ssh|scp|rsync|kubectl|helm|ansible|terraform|pulumi|nomad|aws|gcloud|flyctl|compose|stack|buildx?|DOCKER_HOST)\b|\bdocker[ \t]+push\b|--context\b|[ \t](?:-H[ \t=]|az[ \t]|make[ \t])|\.sh\b/i;

/** Formats of other programs, which are not confs although their lines may look like one. */
export function isForeignFormat(path: string): boolean {
  return /\.(?:cmd|bat|ps1|tf|tfvars|hcl|nomad|nix|sls|pp|bu|ign|jsonnet|libsonnet|cue|plist|star|toml|xml|properties)$|(?:^|[\\/])\.?justfile$/i.test(
    path,
  );
}
