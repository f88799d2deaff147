import type { Command, Option } from '#server/command/command.ts';
import { commands } from '#server/command/commands.ts';

export const commonOptions: Record<string, Option> = {
  json: { description: 'print one JSON object for programs instead of text' },
  settings: { value: 'FILE', description: 'read settings from this file, not from .env; may be given twice' },
  help: { short: 'h', description: 'print how to use the command' },
};

const width = 22;

const indent = (text: string) => text.replaceAll(/^(?=.)/gm, '  ');

function describeOptions(options: Record<string, Option>): string {
  const lines = Object.entries(options).map(([name, { value, short, description }]) => {
    const left = `${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`;
    return `${left.padEnd(width)} ${description}`;
  });
  return indent(lines.join('\n'));
}

/** The help of one command. `program` is how this person calls `notif`. */
export function describeCommand(program: string, name: string, command: Command): string {
  const { words, about, details = [], options = {} } = command;
  const usage = [program, name, ...words, ...(Object.keys(options).length > 0 ? ['[OPTIONS]'] : [])].join(' ');
  return [
    `Usage: ${usage}`,
    about,
    ...details,
    `Options:\n${describeOptions({ ...options, ...commonOptions })}`,
    '',
  ].join('\n\n');
}

/** The help of `notif help`: every command in one line. */
export async function describeCommands(program: string): Promise<string> {
  const lines = await Promise.all(
    Object.entries(commands).map(async ([name, load]) => {
      const { words, about } = (await load()).command;
      return `${[name, ...words].join(' ').padEnd(width)} ${about}`;
    }),
  );
  return `Usage: ${program} COMMAND [OPTIONS]

Commands:
${indent(lines.join('\n'))}

Every command takes:
${describeOptions(commonOptions)}

\`${program} help COMMAND\` says more about one command. Exit codes: 0 done and all well, 1 the command
failed or the doctor found an error, 2 wrong usage, 3 the database or the service cannot be reached.
`;
}
