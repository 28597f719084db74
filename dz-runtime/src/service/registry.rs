//! The implementations of the declared services, and the checks of their guarantees.

use std::{
    sync::{Arc, atomic::AtomicU32},
    time::Duration,
};

use serde_json::Value as Json;

use super::{
    CallService, PythonSettings, Service, ServiceCx, WorkerFigures, configuration, python::PythonService, read_checked, threads::Threads,
    without_types,
};
use crate::{
    Result,
    def::{AppDef, ServiceDef, StubLanguage},
    suggest::did_you_mean,
};

type Check = Box<dyn Fn(&Json, &Json) -> Result<bool> + Send + Sync>;

/// A service with its implementation.
pub(crate) struct Implemented {
    pub(crate) def: &'static ServiceDef,
    pub(super) implementation: Arc<dyn CallService>,
    /// The number of running calls.
    pub(super) running: Arc<AtomicU32>,
}

/// A check of a guarantee.
pub(super) struct Guarantee {
    service: &'static str,
    /// The position of the sentence, from 1.
    number: usize,
    holds: Check,
}

/// The implementations of the services of an application.
pub struct Services {
    implemented: Vec<Implemented>,
    /// Those of `implemented` in Python.
    python: Vec<Arc<PythonService>>,
    guarantees: Vec<Guarantee>,
    pub(super) threads: Threads,
    /// How long a call may take without a timeout of its own.
    pub(super) timeout: Duration,
}

impl Default for Services {
    fn default() -> Services {
        Services {
            implemented: Vec::new(),
            python: Vec::new(),
            guarantees: Vec::new(),
            threads: Threads::default(),
            timeout: Duration::from_secs(60),
        }
    }
}

impl Services {
    /// Adds an implementation.
    pub(crate) fn add<S: Service + ?Sized>(&mut self, call: impl Fn(&ServiceCx, S::Input) -> Result<S::Output> + Send + Sync + 'static) {
        self.add_without_types(S::def(), without_types::<S>(call));
    }

    /// Adds an implementation whose input and output are JSON.
    pub(crate) fn add_without_types(&mut self, def: &'static ServiceDef, implementation: impl CallService) {
        self.implemented.push(Implemented { def, implementation: Arc::new(implementation), running: Arc::default() });
    }

    /// Adds a check of the guarantee with this number, from 1.
    pub(crate) fn add_guarantee<S: Service + ?Sized>(
        &mut self,
        number: usize,
        holds: impl Fn(&S::Input, &S::Output) -> bool + Send + Sync + 'static,
    ) {
        let holds: Check = Box::new(move |input, output| Ok(holds(&read_checked(input)?, &read_checked(output)?)));
        self.guarantees.push(Guarantee { service: S::def().name, number, holds });
    }

    /// The service with this name.
    ///
    /// # Errors
    /// 410 `SERVICE_GONE` if the application has none, for example after a deployment during a run.
    pub(crate) fn find(&self, name: &str) -> Result<&Implemented> {
        let gone = || crate::Error::new(410, "SERVICE_GONE", format!("The application no longer has the service `{name}`"));
        self.implemented.iter().find(|it| it.def.name == name).ok_or_else(gone)
    }

    /// The numbers of the worker processes of all services.
    pub(crate) fn worker_figures(&self) -> WorkerFigures {
        self.python.iter().map(|it| it.worker_figures()).fold(WorkerFigures::default(), WorkerFigures::add)
    }

    /// The first guarantee that does not hold: its sentence.
    pub(super) fn find_broken(&self, def: &'static ServiceDef, input: &Json, output: &Json) -> Result<Option<&'static str>> {
        for it in self.guarantees.iter().filter(|it| it.service == def.name) {
            if !(it.holds)(input, output)? {
                return Ok(it.number.checked_sub(1).and_then(|at| def.guarantees.get(at).copied()));
            }
        }
        Ok(None)
    }

    /// The file of a Python stub is the implementation of its service.
    fn add_stub(&mut self, def: &'static ServiceDef, settings: &PythonSettings) -> Result<()> {
        let Some(StubLanguage::Python { package }) = def.stub else { return Ok(()) };
        if self.implemented.iter().any(|it| it.def.name == def.name) {
            let detail = format!("the service `{}` has `stub: python` and an implementation in Rust; remove one of them", def.name);
            return Err(configuration(detail));
        }
        let service = Arc::new(PythonService::new(def, package, settings)?);
        self.python.push(service.clone());
        self.add_without_types(def, service);
        Ok(())
    }

    /// Checks the registrations at the start, adds the services in Python, and sets the default timeout.
    ///
    /// # Errors
    /// One sentence that names the service without an implementation, or with two.
    pub(crate) fn prepare(&mut self, app: &'static AppDef, timeout: Duration, python: &PythonSettings) -> Result<()> {
        self.timeout = timeout;
        for def in app.services {
            self.add_stub(def, python)?;
            let count = self.implemented.iter().filter(|it| it.def.name == def.name).count();
            let name = def.name;
            match count {
                0 => {
                    let fix = format!("implement the trait of `{name}` in the module `services`, and add it with `app().service(…)`");
                    return Err(configuration(format!("the service `{name}` has no implementation; {fix}")));
                }
                1 => {}
                n => return Err(configuration(format!("the service `{name}` has {n} implementations; keep one"))),
            }
        }
        for it in &self.guarantees {
            let Some(def) = app.services.iter().find(|def| def.name == it.service) else {
                let near = did_you_mean(it.service, app.services.iter().map(|def| def.name).collect());
                return Err(configuration(format!("a guarantee names the service `{}`, which does not exist{near}", it.service)));
            };
            let (count, number) = (def.guarantees.len(), it.number);
            if number == 0 || number > count {
                let fix = format!("`{}` has {count}, which count from 1", def.name);
                return Err(configuration(format!("there is no guarantee {number} of the service `{}`; {fix}", def.name)));
            }
        }
        Ok(())
    }
}
