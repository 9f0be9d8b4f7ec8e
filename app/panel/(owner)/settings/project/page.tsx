import { buttonVariants } from "@heroui/styles";
import type { Metadata } from "next";
import Link from "next/link";
import { createProject, saveProject } from "@/app/panel/(owner)/settings/project/actions";
import { AnswersStudio } from "@/app/panel/(owner)/settings/project/answers-studio";
import { CreateProjectForm } from "@/components/project/create-project-form";
import { ProjectFacts } from "@/components/project/project-facts";
import {
  ProjectAllowancesForm,
  ProjectNameForm,
  ProjectRetentionForm,
  ProjectSwitchesForm,
} from "@/components/project/project-forms";
import { IdText } from "@/components/ui/id-text";
import { KeyValues } from "@/components/ui/key-values";
import { PageHeader } from "@/components/ui/page-header";
import { Section } from "@/components/ui/section";
import { TimeText } from "@/components/ui/time-text";
import type { ProjectRecord } from "@/lib/contracts/projects";
import { ownModels } from "@/lib/domain/model-catalog";
import { orSayAway } from "@/lib/panel/or-say-away";
import { requirePanel } from "@/lib/panel/require-panel";
import { getProject } from "@/lib/services/projects/get-project";

export const metadata: Metadata = { title: "Project settings" };

const PATH = "/panel/settings/project";

/** Settings / Project: how the AI answers for it, what the API does, how long things are kept. */
export default orSayAway(async function ProjectPage({ searchParams }: PageProps<"/panel/settings/project">) {
  const [{ principal, can }, params] = await Promise.all([requirePanel("project.view"), searchParams]);
  if (params.new !== undefined && can("project.create")) return <NewProject />;
  const project = await getProject(principal);
  return (
    <>
      <PageHeader
        action={
          can("project.create") ? (
            <Link className={buttonVariants({ variant: "outline", size: "sm" })} href={`${PATH}?new=1`}>
              New project
            </Link>
          ) : undefined
        }
        purpose="Keys, sessions, templates, knowledge and end users belong to one project."
        title={<bdi>{project.name}</bdi>}
      />
      {can("project.update") ? (
        // Another project, another form.
        <ProjectForms key={project.id} project={project} />
      ) : (
        <Section isFramed text="Owners and admins can change them." title="Settings">
          <ProjectFacts project={project} />
        </Section>
      )}
      <Section title="Ids">
        <KeyValues
          items={[
            { name: "Project", value: <IdText id={project.id} label="the project's id" /> },
            { name: "Account", value: <IdText id={principal.accountId} label="the account's id" /> },
            { name: "Created", value: <TimeText at={project.createdAt} kind="exact" /> },
          ]}
        />
      </Section>
    </>
  );
});

function ProjectForms({ project }: { project: ProjectRecord }) {
  return (
    <>
      <Section isFramed title="Name">
        <div className="max-w-[440px]">
          <ProjectNameForm project={project} save={saveProject} />
        </div>
      </Section>
      <Section isFramed title="Answers">
        <AnswersStudio ownModels={ownModels()} project={project} save={saveProject} />
      </Section>
      <Section isFramed title="API and memory">
        <ProjectSwitchesForm project={project} save={saveProject} />
      </Section>
      <Section
        isFramed
        text="So that no project, end user or call uses up what all share. Months are calendar months (UTC)."
        title="Limits"
      >
        <ProjectAllowancesForm project={project} save={saveProject} />
      </Section>
      <Section
        isFramed
        text="Days after which things are removed for good; empty: they are kept. Usage, the credit book and the audit log stay."
        title="How long things are kept"
      >
        <ProjectRetentionForm project={project} save={saveProject} />
      </Section>
    </>
  );
}

function NewProject() {
  return (
    <>
      <PageHeader
        back={{ href: PATH, name: "Project" }}
        purpose="With keys, templates, knowledge and end users of its own. Credits, plan and team are the account's."
        title="New project"
      />
      <div className="max-w-[440px]">
        <CreateProjectForm create={createProject} doneHref={PATH} />
      </div>
    </>
  );
}
