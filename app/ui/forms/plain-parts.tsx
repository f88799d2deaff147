import { type ComponentProps, type ReactNode, useId } from 'react';

type ButtonProps = ComponentProps<'button'> & { look?: 'filled' | 'default'; pending?: boolean };

/** A button of pages without Mantine. */
export function PlainButton({ look = 'filled', pending = false, disabled, ...button }: ButtonProps) {
  return (
    <button
      type="button"
      className="plain-button"
      data-look={look}
      aria-busy={pending || undefined}
      disabled={pending || disabled}
      {...button}
    />
  );
}

type FieldProps = ComponentProps<'input'> & { label: string; description?: string; error?: ReactNode; end?: ReactNode };

/** A field of pages without Mantine, with its label, hint and problem; `end` lies over its end. */
export function PlainField({ label, description, error, end, ...input }: FieldProps) {
  const id = useId();
  const told = [description && `${id}-hint`, error && `${id}-problem`].filter(Boolean).join(' ');
  return (
    <div className="plain-field">
      <label htmlFor={id}>
        {label}
        {input.required && <span aria-hidden> *</span>}
      </label>
      {description && (
        <p id={`${id}-hint`} className="fine-print">
          {description}
        </p>
      )}
      <div>
        <input id={id} aria-invalid={error ? true : undefined} aria-describedby={told || undefined} {...input} />
        {end}
      </div>
      {error && <p id={`${id}-problem`}>{error}</p>}
    </div>
  );
}
