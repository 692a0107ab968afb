import type { ComponentProps, ReactNode } from 'react';

interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  readonly onSubmit: () => void;
}

/** A form that the page sends itself. Without another look, its fields are below each other. */
export function Form({ onSubmit, className = 'flex flex-col gap-4', ...form }: FormProps): ReactNode {
  return (
    <form
      {...form}
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    />
  );
}

interface ExplainedFormProps {
  readonly label?: string;
  readonly explanation: string;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

/** A form of a settings page: the explanation on the left, the fields on the right. */
export function ExplainedForm({ label, explanation, onSubmit, children }: ExplainedFormProps): ReactNode {
  return (
    <Form
      noValidate
      {...(label !== undefined && { 'aria-label': label })}
      className="grid gap-x-8 gap-y-4 lg:grid-cols-[240px_minmax(0,1fr)]"
      onSubmit={onSubmit}
    >
      <p className="text-soft">{explanation}</p>
      <div className="flex min-w-0 flex-col gap-4">{children}</div>
    </Form>
  );
}

/** As wide as two fields beside their explanation: fields across a wide screen are hard to read. */
export const formWidth = 'max-w-[1080px]';
