// Tickrate for C++17.
// Licensed under the Apache License, Version 2.0. See LICENSE.
#pragma once
#include "tickrate/client.hpp"
#include "tickrate/explainer.hpp"
