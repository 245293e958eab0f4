/** Files that a start is read from, and what commands, diffs and programs of other files make of them. */
import { describe, expect, test } from 'vitest';
import { mayChange } from '../../../src/node/deployment/changes.js';
import { type Folder, gravely } from './lint-folder.js';

const image = 'ethereum/client-go:v1.13.14';
const words = (api: string) => `--http --http.addr 0.0.0.0 --http.api ${api}`;

/** By file: what starts a node, and the command that starts it. */
const kinds: Readonly<Record<string, readonly [start: string, text: (api: string) => string]>> = {
  'compose.yaml': [
    'docker compose up -d',
    (api) => `services:\n  n:\n    image: ${image}\n    command: ${words(api)}\n    ports: ["8545:8545"]\n`,
  ],
  'geth.service': [
    'sudo systemctl restart geth',
    (api) => `[Unit]\nDescription=n\n[Service]\nExecStart=/usr/bin/geth ${words(api)}\n`,
  ],
  'start.sh': ['./start.sh', (api) => `#!/bin/sh\nset -e\nexec geth ${words(api)}\n`],
  'pod.yaml': [
    'kubectl apply -f pod.yaml',
    (api) =>
      `apiVersion: v1\nkind: Pod\nmetadata: {name: n}\nspec:\n  containers:\n  - name: n\n    image: ${image}\n` +
      `    args: [--http, --http.addr=0.0.0.0, "--http.api=${api}"]\n`,
  ],
};

const [before, after, harmless] = ['eth,net', 'eth,admin', 'eth,web3'];

/** A diff that changes each line with a text. */
function diffOf(file: string, text: string, to: string): string {
  const lines = text.trimEnd().split('\n');
  const changed = lines.flatMap((line) =>
    line.includes(before) ? [`-${line}`, `+${line.replace(before, to)}`] : [` ${line}`],
  );
  const head = `--- a/${file}\n+++ b/${file}\n@@ -1,${lines.length} +1,${lines.length} @@\n`;
  return `${head}${changed.join('\n')}\n`;
}

type Edit = (file: string, text: string, to: string) => readonly [command: string, files?: Folder];
const inPython = (path: string, to: string) =>
  `from pathlib import Path\nimport sys\np = Path(${path})\np.write_text(p.read_text().replace("${before}", "${to}"))\n`;
const sed = (to: string) => `sed 's/${before}/${to}/'`;

/** What is judged as the file is after it. */
const followed: Readonly<Record<string, Edit>> = {
  'sed -i': (file, _, to) => [`sed -i 's/${before}/${to}/' ${file}`],
  'a diff and patch': (file, text, to) => ['patch -p1 < x.patch', { 'x.patch': diffOf(file, text, to) }],
  'a diff and git': (file, text, to) => ['git apply x.diff', { 'x.diff': diffOf(file, text, to) }],
  'a diff that nothing applies': (file, text, to) => ['true', { 'x.patch': diffOf(file, text, to) }],
  'sed, and mv': (file, _, to) => [`${sed(to)} ${file} > x.tmp && mv x.tmp ${file}`],
  'sed, and cp': (file, _, to) => [`cat ${file} | ${sed(to)} > x.tmp; cp x.tmp ${file}`],
  'cp of another text': (file, text, to) => [`cp x.txt ${file}`, { 'x.txt': text.replace(before, to) }],
  'a pipe to tee': (file, _, to) => [`${sed(to)} ${file} | sudo tee ${file}`],
  'a file elsewhere': (file, _, to) => [`${sed(to)} < ${file} > /tmp/${file}`],
};

/** What asks, whatever the program makes of the file. */
const opaque: Readonly<Record<string, Edit>> = {
  perl: (file, _, to) => [`perl -pi -e 's/${before}/${to}/' ${file}`],
  'ruby in place': (file, _, to) => [`ruby -i -pe 'gsub("${before}", "${to}")' ${file}`],
  'a program': (file, _, to) => ['python3 x.py', { 'x.py': inPython(`"${file}"`, to) }],
  'a program with an argument': (file, _, to) => [
    `python3 x.py ${file}`,
    { 'x.py': inPython('sys.argv[1]', to) },
  ],
  'a program of ruby': (file, _, to) => [
    'ruby x.rb',
    { 'x.rb': `f = "${file}"\nFile.write("${file}", File.read(f).gsub("${before}", "${to}"))\n` },
  ],
  'a program of perl': (file, _, to) => [
    'perl x.pl',
    { 'x.pl': `open F, "<${file}"; $_ = join "", <F>; s/${before}/${to}/; open F, ">${file}"; print F;\n` },
  ],
  'a program of node': (file, _, to) => [
    'node x.js',
    { 'x.js': `fs.writeFileSync('${file}', text.replace('${before}', '${to}'));\n` },
  ],
  ed: (file, _, to) => [`printf '%s\\n' ',s/${before}/${to}/' w q | ed -s ${file}`],
  vim: (file, _, to) => [`vim -es -c '%s/${before}/${to}/' -c wq ${file}`],
  find: (file, _, to) => [`find . -name '${file}' -exec sed -i 's/${before}/${to}/' {} +`],
  xargs: (file, _, to) => [`ls ${file} | xargs sed -i 's/${before}/${to}/'`],
  sponge: (file, _, to) => [`${sed(to)} ${file} | sponge ${file}`],
  dd: (file, _, to) => [`${sed(to)} ${file} | dd of=${file}`],
  'a program in a pipe': (file) => [`./render ${file} > x.tmp; mv x.tmp ${file}`],
  'git checkout': (file) => [`git checkout prod -- ${file}`],
};

/** Who runs the commands. */
const callers: readonly ((commands: string) => Folder)[] = [
  (commands) => ({ 'up.sh': `#!/bin/bash\nset -e\n${commands}\n` }),
  (commands) => ({ Makefile: `up:\n${commands.replace(/^/gm, '\t')}\n` }),
  (commands) => ({
    '.github/workflows/up.yml': `on: push\njobs:\n  up:\n    steps:\n      - run: |\n${commands.replace(/^/gm, '          ')}\n`,
  }),
];

function folderOf(edit: Edit, file: string, to: string, caller: number): Folder {
  const [start, textOf] = kinds[file] as (typeof kinds)[string];
  const text = textOf(before);
  const [command, files = {}] = edit(file, text, to);
  const call = callers[caller % callers.length] as (typeof callers)[number];
  return { [file]: text, ...files, ...call(`${command}\n${start}`) };
}

const each = (edits: Readonly<Record<string, Edit>>) =>
  Object.entries(edits).flatMap(([name, edit], row) =>
    Object.keys(kinds).map((file, at) => [name, file, edit, row + at] as const),
  );

describe('a grave text never passes', () => {
  test.each(each({ ...followed, ...opaque }))('%s of %s', async (_, file, edit, caller) => {
    expect(await gravely(folderOf(edit, file, after, caller))).toMatch(/exit [13]$/);
  });
});

describe('a harmless text asks nothing', () => {
  test.each(each(followed))('%s of %s', async (_, file, edit, caller) => {
    expect(await gravely(folderOf(edit, file, harmless, caller))).toBe('exit 0');
  });
});

const project = { 'compose.yaml': kinds['compose.yaml']?.[1](before) ?? '' };
const pod = { 'pod.yaml': kinds['pod.yaml']?.[1](before) ?? '' };

test.each<[string, Folder]>([
  ['kubectl apply -f -', { ...pod, 'up.sh': `#!/bin/sh\n${sed(after)} pod.yaml | kubectl apply -f -\n` }],
  ['kubectl apply -f-', { ...pod, 'up.sh': `#!/bin/sh\ncat pod.yaml | ${sed(after)} | kubectl apply -f-\n` }],
  ['kubectl of <(…)', { ...pod, 'up.sh': `#!/bin/bash\nkubectl apply -f <(${sed(after)} pod.yaml)\n` }],
  [
    'a rendered folder',
    {
      ...pod,
      'kustomization.yaml': 'resources: [pod.yaml]\n',
      Makefile: `up:\n\tkubectl kustomize . | ${sed(after)} | kubectl apply -f -\n`,
    },
  ],
  ['a program', { ...pod, 'up.sh': '#!/bin/sh\n./render pod.yaml | kubectl apply -f -\n' }],
  [
    'docker compose -f -',
    { ...project, 'up.sh': `${sed(after)} compose.yaml | docker compose -f - up -d\n` },
  ],
  [
    'docker stack deploy',
    { ...project, 'up.sh': `docker compose config | ${sed(after)} | docker stack deploy -c - n\n` },
  ],
])('what is handed to %s is judged', async (_, files) => {
  expect(await gravely(files)).toMatch(/exit [13]$/);
});

test.each<[string, Folder]>([
  ['a diff of another file', { 'x.patch': diffOf('src/app.js', `${before}\n`, after) }],
  [
    'a diff that was applied',
    {
      'x.patch': diffOf('compose.yaml', project['compose.yaml'], after).replace(
        /^-(.*)\n\+(.*)$/m,
        '-$2\n+$1',
      ),
    },
  ],
  [
    'a program that reads the file',
    { 'x.py': 'print(open("compose.yaml").read())\n', 'up.sh': 'python3 x.py compose.yaml\n' },
  ],
  ['a program that writes another file', { 'x.py': 'open("x.txt", "w")\n', 'up.sh': 'python3 x.py\n' }],
  ['an editor of another file', { 'up.sh': 'ed notes.txt <<E\nw\nE\ndocker compose up -d\n' }],
  ['a comment', { 'up.sh': '# patch compose.yaml x.patch\ndocker compose up -d\n' }],
  [
    'a copy',
    { 'up.sh': 'cp compose.yaml /srv/compose.yaml\ncat compose.yaml | docker compose -f - up -d\n' },
  ],
])('%s asks nothing', async (_, files) => {
  expect(await gravely({ ...project, ...files })).toBe('exit 0');
});

test('each file of a diff is judged', async () => {
  const files = ['compose.yaml', 'geth.service', 'start.sh'].map(
    (file) => [file, kinds[file]?.[1](before) ?? ''] as const,
  );
  const lint = async (to: string) => {
    const diffs = files.map(([file, text]) => diffOf(file, text, file === 'compose.yaml' ? harmless : to));
    return await gravely({ ...Object.fromEntries(files), 'x.patch': diffs.join('') });
  };
  expect(await lint(harmless)).toBe('exit 0');
  expect((await lint(after)).match(/changes \S+(?=, which is judged)/g)).toEqual([
    'changes geth.service',
    'changes start.sh',
  ]);
});

test('a question says which line changes which file', async () => {
  const edit = followed['a diff that nothing applies'] as Edit;
  expect(await gravely(folderOf(edit, 'geth.service', after, 1))).toBe(
    'x.patch:2 changes geth.service, which is judged as it is written: pass the files as they are after it\nexit 3',
  );
  expect(await gravely(folderOf(opaque.ed as Edit, 'geth.service', after, 0))).toBe(
    'up.sh:3 changes geth.service in a way that is not followed: pass the files as they are after it\nexit 3',
  );
});

const reads = (api: string) => project['compose.yaml'].replace(before, `\${API:-${api}}`);
const filled: readonly (readonly [fills: string, harmless: string])[] = [
  ['tar xzf x.tgz ./compose.yaml', 'tar czf x.tgz compose.yaml'],
  ['tar -C . --extract -f x.tgz .env', 'tar tzf x.tgz compose.yaml; tar xzf x.tgz'],
  ['unzip -o x.zip .env', 'unzip -o x.zip; zip x.zip .env compose.yaml'],
  ['7z x -y x.7z compose.yaml', '7z a x.7z compose.yaml'],
  ['cpio -id compose.yaml < x.cpio', 'cpio -o --quiet < compose.yaml > x.cpio'],
  ['scp host:/srv/compose.yaml .', 'scp -o BatchMode=yes compose.yaml host:/srv/'],
  ['scp host:x .env 2>/dev/null', 'scp host:x x.env'],
  ['rsync -a host:/srv/.env .env', 'rsync -a compose.yaml .env host:/srv'],
  ['aws s3 cp s3://b/x .env', 'aws s3 cp .env s3://b/x'],
  ['docker cp n:/compose.yaml ./', 'docker cp compose.yaml n:/'],
  ['curl -fsSLO https://example.org/compose.yaml?x=1', 'curl -d @compose.yaml https://example.org/x'],
  ['curl -o .env https://example.org/x', 'curl -o x.txt https://example.org/compose.yaml'],
  ['curl -fsSLo.env https://example.org/x', 'curl -ox.txt https://example.org/compose.yaml'],
  ['wget -qO.env https://example.org/x', 'wget -Ox.txt https://example.org/compose.yaml'],
  ['gpg -do.env x.gpg', 'gpg -eox.gpg compose.yaml'],
  ['op inject -i x.tpl -o .env', 'op inject -i .env -o x.txt'],
  ['wget https://example.org/compose.yaml', 'wget -O x.txt https://example.org/compose.yaml'],
  ['gpg -d -o .env x.gpg', 'gpg -e -o x.gpg compose.yaml'],
  ['sops -d --output=.env x.env', 'sops -d x.env > x.txt'],
  ['sops -d x.env > .env', 'sops -d compose.yaml > x.txt'],
  ['openssl enc -d -in x.enc -out .env', 'openssl enc -in .env -out x.enc'],
];

describe('a file that a program fills from elsewhere', () => {
  test.each(filled)('%s asks, and %s does not', async (fills, harmless) => {
    const lint = async (command: string, caller: number) =>
      await gravely({
        'compose.yaml': reads('eth'),
        ...callers[caller % callers.length]?.(`${command}\ndocker compose up -d`),
      });
    const at = filled.findIndex(([one]) => one === fills);
    expect(await lint(fills, at)).toMatch(/exit 3$/);
    expect(await lint(harmless, at)).toBe('exit 0');
  });

  test('asks where another file than the caller fills it, and where Augeas sets a key of it', async () => {
    const files = { 'compose.yaml': reads('eth'), '.env': 'API=eth\n' };
    const asked = async (text: string) => await gravely({ ...files, 'play.yml': `- command: ${text}\n` });
    expect(await asked('unzip -o x.zip .env')).toContain('play.yml:1 changes .env in a way that is not');
    expect(await asked('augtool set /files/srv/.env/API eth,admin')).toMatch(/exit 3$/);
    expect(await asked('augtool set /files/etc/hosts/1/alias x')).toBe('exit 0');
  });

  test('lines that are written after it count', async () => {
    const script = (api: string) => ({
      'up.sh': `curl -o .env https://example.org/x\necho API=${api} >> .env\ndocker compose up -d\n`,
    });
    const files = { 'compose.yaml': reads('eth') };
    expect(await gravely({ ...files, ...script('eth,net') })).toBe('exit 0');
    expect(await gravely({ ...files, ...script('eth,admin') })).toMatch(/exit 1$/);
  });
});

describe('a file of variables that is not there', () => {
  const lint = async (files: Folder) => await gravely({ 'compose.yaml': reads('eth'), ...files });
  const up = (command: string) => ({ 'up.sh': `#!/bin/bash\n${command}\ndocker compose up -d\n` });
  const play = (task: string) => ({ 'play.yml': `- hosts: all\n  tasks:\n${task.replace(/^/gm, '  ')}\n` });
  const elsewhere = 'open(".env", "w").write(requests.get("https://example.org").text)';

  test.each<[string, (api: string) => Folder]>([
    ['a program', (api) => ({ 'x.py': `open(".env", "w").write("API=${api}")\n` })],
    ['python -c', (api) => up(`python3 -c "open('.env', 'w').write('API=${api}')"`)],
    ['node -e', (api) => up(`node -e 'fs.writeFileSync(".env", "API=${api}\\n")'`)],
    ['a here-document', (api) => up(`python3 - <<E\nopen(".env", "w").write("API=${api}")\nE`)],
    ['a task', (api) => play(`- copy:\n    content: "API=${api}"\n    dest: /srv/n/.env`)],
    ['a diff', (api) => ({ 'x.patch': `--- /dev/null\n+++ b/.env\n@@ -0,0 +1 @@\n+API=${api}\n` })],
  ])('counts with what %s writes', async (_, files) => {
    expect(await lint(files(after))).toMatch(/exit 3$/);
    expect(await lint(files(harmless))).toBe('exit 0');
  });

  test.each<[string, Folder]>([
    ['a program', { 'x.py': `${elsewhere}\n` }],
    ['a here-document', up(`python3 - <<E\n${elsewhere}\nE`)],
    ['get_url', play('- get_url: {url: "https://example.org/x", dest: "{{ folder }}/.env"}')],
    ['a task with a lookup', play('- copy:\n    content: "{{ lookup(x) }}"\n    dest: /srv/n/.env')],
    ['an encoded file', { 'x.yml': '- path: /srv/n/.env\n  encoding: b64\n  content: QVBJPWV0aAo=\n' }],
    ['Terraform', { 'x.tf': '  content_base64 = filebase64("x")\n  filename = "${path.module}/.env"\n' }],
  ])('asks where %s fills it', async (_, files) => {
    expect(await lint(files)).toMatch(/changes \.env in a way that is not followed.*\nexit 3$/);
  });

  test.each<[string, Folder]>([
    ['a program reads', { 'x.js': 'config({path: ".env"});\nwriteFile("x.txt", text);\n' }],
    [
      'a task copies a file of the folder to',
      { 'x.env': 'B=1\n', ...play('- copy: {src: x.env, dest: .env}') },
    ],
    ['a key names', { 'x.yml': 'a:\n  - path: .env\n' }],
  ])('is no question where %s it', async (_, files) => {
    expect(await lint(files)).toBe('exit 0');
  });
});

describe('a task of Ansible', () => {
  test.each([
    'get_url: {url: "https://example.org/x", dest: /srv/F}',
    'replace: {path: /srv/F, replace: admin}',
  ])('asks where it changes a file of a start: %s', async (task) => {
    const files = {
      ...project,
      'play.yml': `- hosts: all\n  tasks:\n  - ${task.replace('F', 'compose.yaml')}\n`,
    };
    expect(await gravely(files)).toMatch(/changes compose.yaml in a way that is not followed.*\nexit 3$/);
    expect(await gravely({ ...files, 'play.yml': files['play.yml'].replace('compose', 'x') })).toBe('exit 0');
  });
});

describe('a text that goes through a variable', () => {
  test.each([
    'echo "$M" | kubectl apply -f -',
    'printf "%s\\n" "$M" | kubectl apply -f -',
    'kubectl apply -f - <<<"$M"',
    'kubectl apply -f - <<E\n$M\nE',
  ])('is judged: %s', async (apply) => {
    const lint = async (value: string) =>
      await gravely({ ...pod, 'up.sh': `#!/bin/bash\nM=${value}\n${apply}\n` });
    expect(await lint(`$(${sed(after)} pod.yaml)`)).toMatch(/exit [13]$/);
    expect(await lint('$(yq .x=1 pod.yaml)')).toMatch(/exit 3$/);
    expect(await lint(`$(cat pod.yaml)\nM=\${M/${before}/${after}}`)).toMatch(/exit [13]$/);
    expect(await lint(`$(${sed(harmless)} pod.yaml)`)).toBe('exit 0');
  });
});

/** Each of these took time that grows faster than the text. */
describe('a hostile text is searched', () => {
  const length = 200_000;
  const parts = [
    '"open":1.2,',
    'open(',
    'open(a,',
    "open 'x', '",
    'File.open(',
    'inplace ',
    `inplace${' '.repeat(length)}`,
    'yq ',
    'yq -a-',
    'yq --',
    'dd ',
    'xargs ',
    '-exec sed ',
    'xargs sed -a ',
    '/files/a/',
    'git \t',
    `+++ ${'a'.repeat(length)}`,
    '+++ a\n',
  ];
  test.each(parts.map((part) => [part.slice(0, 20), part]))('%j again and again', (_, part) => {
    const text = part.repeat(Math.ceil(length / part.length));
    expect(mayChange(text)).toBe(/^\+\+\+/.test(text));
  });

  const naming = (text: string) => ({ 'x.txt': `${text} compose.yaml` });
  test.each<[string, Folder]>([
    ['a long line of a diff', { 'x.patch': `+++ ${'a'.repeat(length)} compose.yaml\nx` }],
    ['a quote before blanks', naming(`open("x", "w") "${' '.repeat(length)}`)],
    ['many quotes', naming(`open("x", "w") ${'" '.repeat(length / 2)}`)],
    ['many archives in one line', { 'x.txt': `compose.yaml ${'tar -x --a* '.repeat(length / 10)}` }],
    ['many URLs in one line', { 'x.txt': 'curl -d compose.yaml? '.repeat(length / 20) }],
    ['many commands in one line', naming('ed x '.repeat(length / 10))],
    [
      'many interpreters in one line',
      { 'x.txt': 'python3 x.py compose.yaml '.repeat(4_000), 'x.py': 'pass\n' },
    ],
    ['many files in one line', { 'x.txt': `ed ${'*/a*a*a*b '.repeat(length / 10)}` }],
  ])('%s', async (_, files) => {
    expect(await gravely({ ...project, ...files })).toBe('exit 0');
  });

  test('with many stars in a word', async () => {
    const name = `${'a'.repeat(120)}.yaml`;
    const files = { [name]: pod['pod.yaml'], 'up.sh': `ed ${'a*'.repeat(60)}b.yaml ${name.slice(1)}\n` };
    expect(await gravely(files)).toBe('exit 0');
  });

  test('with a file that doubles itself in each of many commands', async () => {
    const double = 'cat x.tmp x.tmp > x.tmp\n'.repeat(60);
    const commands = `cat compose.yaml > x.tmp\n${double}cp x.tmp compose.yaml\ndocker compose up -d\n`;
    expect(await gravely({ ...project, 'up.sh': `#!/bin/sh\n${commands}` })).toMatch(/exit 3$/);
  });
});

test.each(['compose(old.yml', 'compose[1].yml', 'a+b{2}.yml'])(
  'a file may have the name %s',
  async (name) => {
    const text = project['compose.yaml'];
    const program = {
      'x.py': inPython(`"${name}"`, after),
      'up.sh': `python3 x.py\ndocker compose -f '${name}' up -d\n`,
    };
    expect(await gravely({ [name]: text })).toBe('exit 0');
    expect(await gravely({ [name]: text, ...program })).toMatch(
      /changes .* in a way that is not followed(?:.|\n)*exit 3$/,
    );
  },
);
